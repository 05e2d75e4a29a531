// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/buffer.hpp"
#include "sycl/detail/image_declarations.hpp"
#include "sycl/detail/image_storage.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"
#include "sycl/image_format.hpp"
#include "sycl/property_list.hpp"
#include "sycl/range.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace sycl {

/// An image of which kernels and the host read and write single pixels (SYCL 2020 §4.7.3.1). The first extent
/// is the image's width; pitches are in bytes. Memory without an address leaves the image uninitialised. All
/// constructors throw errc::invalid for an image without pixels, and for pitches that are shorter than what
/// they span or no multiple of pixels and of rows.
template <int Dimensions, typename AllocatorT>
class unsampled_image : public detail::image_storage<Dimensions, AllocatorT>,
                        public detail::owner_ordered<unsampled_image<Dimensions, AllocatorT>> {
  using base = detail::image_storage<Dimensions, AllocatorT>;
  using extent = range<Dimensions>;

public:
  unsampled_image(image_format format, const extent& rangeRef, const property_list& propList = {})
      : unsampled_image(detail::image_source(), format, rangeRef, detail::image_pitch(), AllocatorT(),
                        propList) {}
  unsampled_image(image_format format, const extent& rangeRef, AllocatorT allocator,
                  const property_list& propList = {})
      : unsampled_image(detail::image_source(), format, rangeRef, detail::image_pitch(), std::move(allocator),
                        propList) {}
  template <int D = Dimensions, detail::if_pitched<D> = 0>
  unsampled_image(image_format format, const extent& rangeRef, const range<D - 1>& pitch,
                  const property_list& propList = {})
      : unsampled_image(detail::image_source(), format, rangeRef, pitch, AllocatorT(), propList) {}
  template <int D = Dimensions, detail::if_pitched<D> = 0>
  unsampled_image(image_format format, const extent& rangeRef, const range<D - 1>& pitch,
                  AllocatorT allocator, const property_list& propList = {})
      : unsampled_image(detail::image_source(), format, rangeRef, pitch, std::move(allocator), propList) {}
  unsampled_image(void* hostPointer, image_format format, const extent& rangeRef,
                  const property_list& propList = {})
      : unsampled_image(detail::image_source(hostPointer), format, rangeRef, detail::image_pitch(),
                        AllocatorT(), propList) {}
  unsampled_image(void* hostPointer, image_format format, const extent& rangeRef, AllocatorT allocator,
                  const property_list& propList = {})
      : unsampled_image(detail::image_source(hostPointer), format, rangeRef, detail::image_pitch(),
                        std::move(allocator), propList) {}
  template <int D = Dimensions, detail::if_pitched<D> = 0>
  unsampled_image(void* hostPointer, image_format format, const extent& rangeRef, const range<D - 1>& pitch,
                  const property_list& propList = {})
      : unsampled_image(detail::image_source(hostPointer), format, rangeRef, pitch, AllocatorT(), propList) {}
  template <int D = Dimensions, detail::if_pitched<D> = 0>
  unsampled_image(void* hostPointer, image_format format, const extent& rangeRef, const range<D - 1>& pitch,
                  AllocatorT allocator, const property_list& propList = {})
      : unsampled_image(detail::image_source(hostPointer), format, rangeRef, pitch, std::move(allocator),
                        propList) {}
  unsampled_image(const std::shared_ptr<void>& hostPointer, image_format format, const extent& rangeRef,
                  const property_list& propList = {})
      : unsampled_image(detail::image_source(hostPointer), format, rangeRef, detail::image_pitch(),
                        AllocatorT(), propList) {}
  unsampled_image(const std::shared_ptr<void>& hostPointer, image_format format, const extent& rangeRef,
                  AllocatorT allocator, const property_list& propList = {})
      : unsampled_image(detail::image_source(hostPointer), format, rangeRef, detail::image_pitch(),
                        std::move(allocator), propList) {}
  template <int D = Dimensions, detail::if_pitched<D> = 0>
  unsampled_image(const std::shared_ptr<void>& hostPointer, image_format format, const extent& rangeRef,
                  const range<D - 1>& pitch, const property_list& propList = {})
      : unsampled_image(detail::image_source(hostPointer), format, rangeRef, pitch, AllocatorT(), propList) {}
  template <int D = Dimensions, detail::if_pitched<D> = 0>
  unsampled_image(const std::shared_ptr<void>& hostPointer, image_format format, const extent& rangeRef,
                  const range<D - 1>& pitch, AllocatorT allocator, const property_list& propList = {})
      : unsampled_image(detail::image_source(hostPointer), format, rangeRef, pitch, std::move(allocator),
                        propList) {}

  template <typename DataT,
            access_mode Mode = (std::is_const_v<DataT> ? access_mode::read : access_mode::read_write),
            image_target Targ = image_target::device>
  unsampled_image_accessor<DataT, Dimensions, Mode, Targ> get_access(handler& commandGroupHandler,
                                                                     const property_list& propList = {}) {
    return {*this, commandGroupHandler, propList};
  }
  template <typename DataT,
            access_mode Mode = (std::is_const_v<DataT> ? access_mode::read : access_mode::read_write)>
  host_unsampled_image_accessor<DataT, Dimensions, Mode> get_host_access(const property_list& propList = {}) {
    return {*this, propList};
  }

  /// Where the contents go when the image is destroyed: an output iterator, of whose elements the image's
  /// memory is taken to be, a pointer, a weak_ptr or shared_ptr, or nullptr for nowhere. Gaps of the pitch
  /// are written, too.
  template <typename Destination = std::nullptr_t>
  void set_final_data(Destination finalData = nullptr) {
    falx::set_final_destination(*this->state_,
                                detail::image_destination(std::move(finalData), this->byte_size()));
  }
  void set_write_back(bool flag = true) { falx::set_write_back(*this->state_, flag); }

  friend bool operator==(const unsampled_image& a, const unsampled_image& b) noexcept {
    return a.state_ == b.state_;
  }
  friend bool operator!=(const unsampled_image& a, const unsampled_image& b) noexcept { return !(a == b); }

private:
  unsampled_image(const detail::image_source& source, image_format format, const extent& size,
                  const detail::image_pitch& pitch, AllocatorT allocator, const property_list& properties)
      : base("sycl::unsampled_image", source, format, {}, size, pitch, std::move(allocator), properties) {}
};

template <int D, typename A>
struct is_property_of<property::image::use_host_ptr, unsampled_image<D, A>> : std::true_type {};
template <int D, typename A>
struct is_property_of<property::image::use_mutex, unsampled_image<D, A>> : std::true_type {};
template <int D, typename A>
struct is_property_of<property::image::context_bound, unsampled_image<D, A>> : std::true_type {};

} // namespace sycl

template <int Dimensions, typename AllocatorT>
struct std::hash<sycl::unsampled_image<Dimensions, AllocatorT>> {
  std::size_t operator()(const sycl::unsampled_image<Dimensions, AllocatorT>& object) const noexcept {
    return std::hash<const void*>()(sycl::detail::internals::state(object).get());
  }
};

// What get_access and get_host_access return.
#include "sycl/unsampled_image_accessor.hpp"
