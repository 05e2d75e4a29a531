// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/image_declarations.hpp"
#include "sycl/detail/image_storage.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"
#include "sycl/image_format.hpp"
#include "sycl/image_sampler.hpp"
#include "sycl/property_list.hpp"
#include "sycl/range.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace sycl {

/// An image that kernels and the host read through a sampler (SYCL 2020 §4.7.3.2). The first extent is the
/// image's width; pitches are in bytes. Memory without an address leaves the image uninitialised. Linear
/// filtering is done with floats, for integer formats, too, which are rounded to the nearest. All
/// constructors throw errc::invalid for an image without pixels, and for pitches that are shorter than what
/// they span or no multiple of pixels and of rows.
template <int Dimensions, typename AllocatorT>
class sampled_image : public detail::image_storage<Dimensions, AllocatorT>,
                      public detail::owner_ordered<sampled_image<Dimensions, AllocatorT>> {
  using base = detail::image_storage<Dimensions, AllocatorT>;
  using extent = range<Dimensions>;

public:
  sampled_image(const void* hostPointer, image_format format, image_sampler sampler, const extent& rangeRef,
                const property_list& propList = {})
      : sampled_image(detail::image_source(hostPointer), format, sampler, rangeRef, detail::image_pitch(),
                      AllocatorT(), propList) {}
  sampled_image(const void* hostPointer, image_format format, image_sampler sampler, const extent& rangeRef,
                AllocatorT allocator, const property_list& propList = {})
      : sampled_image(detail::image_source(hostPointer), format, sampler, rangeRef, detail::image_pitch(),
                      std::move(allocator), propList) {}
  template <int D = Dimensions, detail::if_pitched<D> = 0>
  sampled_image(const void* hostPointer, image_format format, image_sampler sampler, const extent& rangeRef,
                const range<D - 1>& pitch, const property_list& propList = {})
      : sampled_image(detail::image_source(hostPointer), format, sampler, rangeRef, pitch, AllocatorT(),
                      propList) {}
  template <int D = Dimensions, detail::if_pitched<D> = 0>
  sampled_image(const void* hostPointer, image_format format, image_sampler sampler, const extent& rangeRef,
                const range<D - 1>& pitch, AllocatorT allocator, const property_list& propList = {})
      : sampled_image(detail::image_source(hostPointer), format, sampler, rangeRef, pitch,
                      std::move(allocator), propList) {}
  sampled_image(const std::shared_ptr<const void>& hostPointer, image_format format, image_sampler sampler,
                const extent& rangeRef, const property_list& propList = {})
      : sampled_image(detail::image_source(hostPointer), format, sampler, rangeRef, detail::image_pitch(),
                      AllocatorT(), propList) {}
  sampled_image(const std::shared_ptr<const void>& hostPointer, image_format format, image_sampler sampler,
                const extent& rangeRef, AllocatorT allocator, const property_list& propList = {})
      : sampled_image(detail::image_source(hostPointer), format, sampler, rangeRef, detail::image_pitch(),
                      std::move(allocator), propList) {}
  template <int D = Dimensions, detail::if_pitched<D> = 0>
  sampled_image(const std::shared_ptr<const void>& hostPointer, image_format format, image_sampler sampler,
                const extent& rangeRef, const range<D - 1>& pitch, const property_list& propList = {})
      : sampled_image(detail::image_source(hostPointer), format, sampler, rangeRef, pitch, AllocatorT(),
                      propList) {}
  template <int D = Dimensions, detail::if_pitched<D> = 0>
  sampled_image(const std::shared_ptr<const void>& hostPointer, image_format format, image_sampler sampler,
                const extent& rangeRef, const range<D - 1>& pitch, AllocatorT allocator,
                const property_list& propList = {})
      : sampled_image(detail::image_source(hostPointer), format, sampler, rangeRef, pitch,
                      std::move(allocator), propList) {}

  template <typename DataT, image_target Targ = image_target::device>
  sampled_image_accessor<DataT, Dimensions, Targ> get_access(handler& commandGroupHandler,
                                                             const property_list& propList = {}) {
    return {*this, commandGroupHandler, propList};
  }
  template <typename DataT>
  host_sampled_image_accessor<DataT, Dimensions> get_host_access(const property_list& propList = {}) {
    return {*this, propList};
  }

  friend bool operator==(const sampled_image& a, const sampled_image& b) noexcept {
    return a.state_ == b.state_;
  }
  friend bool operator!=(const sampled_image& a, const sampled_image& b) noexcept { return !(a == b); }

private:
  sampled_image(const detail::image_source& source, image_format format, const image_sampler& sampler,
                const extent& size, const detail::image_pitch& pitch, AllocatorT allocator,
                const property_list& properties)
      : base("sycl::sampled_image", source, format, sampler, size, pitch, std::move(allocator), properties) {}
};

template <int D, typename A>
struct is_property_of<property::image::use_host_ptr, sampled_image<D, A>> : std::true_type {};
template <int D, typename A>
struct is_property_of<property::image::use_mutex, sampled_image<D, A>> : std::true_type {};
template <int D, typename A>
struct is_property_of<property::image::context_bound, sampled_image<D, A>> : std::true_type {};

} // namespace sycl

template <int Dimensions, typename AllocatorT>
struct std::hash<sycl::sampled_image<Dimensions, AllocatorT>> {
  std::size_t operator()(const sycl::sampled_image<Dimensions, AllocatorT>& object) const noexcept {
    return std::hash<const void*>()(sycl::detail::internals::state(object).get());
  }
};

// What get_access and get_host_access return.
#include "sycl/sampled_image_accessor.hpp"
