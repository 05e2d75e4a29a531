// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/buffer.hpp"
#include "falx/kernel.hpp"
#include "sycl/detail/accessor_core.hpp"
#include "sycl/detail/image_access.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"
#include "sycl/handler.hpp"
#include "sycl/sampled_image.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sycl {

/// Reads a sampled_image in a kernel or a host task (SYCL 2020 §4.7.6.15). \c DataT is float4 or half4 for
/// formats of floats and of normalised integers, int4 and uint4 for the other ones.
template <typename DataT, int Dimensions, image_target AccessTarget>
class sampled_image_accessor
    : public detail::owner_ordered<sampled_image_accessor<DataT, Dimensions, AccessTarget>> {
  using color = detail::image_color<DataT>;
  static constexpr bool may_have_texture = AccessTarget == image_target::device && Dimensions < 3 &&
                                           std::is_same_v<typename color::component, float>;

public:
  using value_type = const DataT;
  using reference = const DataT&;
  using const_reference = const DataT&;

  /// Throws errc::invalid if \c DataT does not suit the image's format.
  template <typename AllocatorT>
  sampled_image_accessor(sampled_image<Dimensions, AllocatorT>& imageRef, handler& commandGroupHandlerRef,
                         const property_list& propList = {})
      : state_(falx::require(
            detail::command_group_of(commandGroupHandlerRef), detail::image_parts::state(imageRef),
            detail::image_parts::request<DataT>("sycl::sampled_image_accessor", imageRef, access_mode::read,
                                                AccessTarget == image_target::host_task, propList))),
        texture_(may_have_texture ? detail::image_parts::texture(commandGroupHandlerRef, imageRef) : 0),
        view_(detail::image_parts::view(imageRef, texture_)) {}

  /// Of const pixels or of others: both only read.
  template <typename T, std::enable_if_t<std::is_same_v<std::remove_const_t<T>, std::remove_const_t<DataT>> &&
                                             !std::is_same_v<T, DataT>,
                                         int> = 0>
  sampled_image_accessor(const sampled_image_accessor<T, Dimensions, AccessTarget>& other) noexcept
      : state_(other.state_), texture_(other.texture_), view_(other.view_) {}

  /// In pixels.
  std::size_t size() const noexcept { return view_.size(); }

  /// The color at a coordinate, by the image's sampler. \c CoordT is float, float2 or float4 (of which the
  /// last component is ignored), with x first.
  template <typename CoordT>
  std::remove_const_t<DataT> read(const CoordT& coords) const noexcept {
    const detail::image_position<float, Dimensions> at(coords);
    if constexpr (may_have_texture)
      if (view_.has_texture())
        return color::from(view_.sample_texture(texture_, at.axis));
    return color::from(view_.template sample<typename color::component>(state_.data, at.axis));
  }

  /// SYCL 2020 defines no properties of accessors of sampled images.
  template <typename Property>
  bool has_property() const noexcept {
    return false;
  }
  template <typename Property>
  Property get_property() const {
    return property_list().get_property<Property>();
  }

  friend bool operator==(const sampled_image_accessor& a, const sampled_image_accessor& b) noexcept {
    return detail::same_core(a.state_, b.state_);
  }
  friend bool operator!=(const sampled_image_accessor& a, const sampled_image_accessor& b) noexcept {
    return !(a == b);
  }

private:
  friend struct detail::internals;
  template <typename, int, image_target>
  friend class sampled_image_accessor;

  /// First member: the compiler and the runtime find it.
  falx::accessor_core state_;
  std::uint64_t texture_;
  detail::image_view<Dimensions> view_;
};

/// Reads a sampled_image on the host, outside of commands (SYCL 2020 §4.7.6.15). As a host_accessor it waits
/// for commands that write, and the later ones wait for it.
template <typename DataT, int Dimensions>
class host_sampled_image_accessor
    : public detail::owner_ordered<host_sampled_image_accessor<DataT, Dimensions>> {
  using color = detail::image_color<DataT>;

public:
  using value_type = const DataT;
  using reference = const DataT&;
  using const_reference = const DataT&;

  /// Throws errc::invalid if \c DataT does not suit the image's format.
  template <typename AllocatorT>
  host_sampled_image_accessor(sampled_image<Dimensions, AllocatorT>& imageRef,
                              const property_list& propList = {})
      : state_(falx::begin_host_access(
            detail::image_parts::state(imageRef),
            detail::image_parts::request<DataT>("sycl::host_sampled_image_accessor", imageRef,
                                                access_mode::read, true, propList))),
        view_(detail::image_parts::view(imageRef)) {}

  template <typename T, std::enable_if_t<std::is_same_v<std::remove_const_t<T>, std::remove_const_t<DataT>> &&
                                             !std::is_same_v<T, DataT>,
                                         int> = 0>
  host_sampled_image_accessor(const host_sampled_image_accessor<T, Dimensions>& other) noexcept
      : state_(other.state_), view_(other.view_) {}

  std::size_t size() const noexcept { return view_.size(); }

  /// As sampled_image_accessor::read.
  template <typename CoordT>
  std::remove_const_t<DataT> read(const CoordT& coords) const noexcept {
    return color::from(view_.template sample<typename color::component>(
        falx::data_of(*state_), detail::image_position<float, Dimensions>(coords).axis));
  }

  /// SYCL 2020 defines no properties of accessors of sampled images.
  template <typename Property>
  bool has_property() const noexcept {
    return false;
  }
  template <typename Property>
  Property get_property() const {
    return property_list().get_property<Property>();
  }

  friend bool operator==(const host_sampled_image_accessor& a,
                         const host_sampled_image_accessor& b) noexcept {
    return a.state_ == b.state_;
  }
  friend bool operator!=(const host_sampled_image_accessor& a,
                         const host_sampled_image_accessor& b) noexcept {
    return !(a == b);
  }

private:
  friend struct detail::internals;
  template <typename, int>
  friend class host_sampled_image_accessor;

  falx::handle<falx::host_access> state_;
  detail::image_view<Dimensions> view_;
};

} // namespace sycl

template <typename DataT, int Dimensions, sycl::image_target Target>
struct std::hash<sycl::sampled_image_accessor<DataT, Dimensions, Target>> {
  std::size_t
  operator()(const sycl::sampled_image_accessor<DataT, Dimensions, Target>& object) const noexcept {
    return std::hash<std::uint64_t>()(sycl::detail::requirement_of(object));
  }
};

template <typename DataT, int Dimensions>
struct std::hash<sycl::host_sampled_image_accessor<DataT, Dimensions>> {
  std::size_t operator()(const sycl::host_sampled_image_accessor<DataT, Dimensions>& object) const noexcept {
    return std::hash<const void*>()(sycl::detail::internals::state(object).get());
  }
};
