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
#include "sycl/unsampled_image.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sycl {

/// Reads and writes pixels of an unsampled_image in a kernel or a host task (SYCL 2020 §4.7.6.14). \c DataT
/// is float4 or half4 for formats of floats and of normalised integers, int4 and uint4 for the other ones.
/// access_mode::read_write, get_access's default, is taken here, too.
template <typename DataT, int Dimensions, access_mode AccessMode, image_target AccessTarget>
class unsampled_image_accessor
    : public detail::owner_ordered<unsampled_image_accessor<DataT, Dimensions, AccessMode, AccessTarget>> {
  static_assert(AccessMode == access_mode::read || AccessMode == access_mode::write ||
                    AccessMode == access_mode::read_write,
                "accessors of images have access_mode::read, write or read_write");
  static_assert(!std::is_const_v<DataT> || AccessMode == access_mode::read,
                "an accessor of const pixels has access_mode::read");
  using color = detail::image_color<DataT>;

public:
  /// Const if the accessor only reads.
  using value_type = detail::accessed<DataT, AccessMode>;
  using reference = value_type&;
  using const_reference = const DataT&;

  /// Throws errc::invalid if \c DataT does not suit the image's format, and for property::no_init without
  /// writing.
  template <typename AllocatorT>
  unsampled_image_accessor(unsampled_image<Dimensions, AllocatorT>& imageRef, handler& commandGroupHandlerRef,
                           const property_list& propList = {})
      : state_(falx::require(
            detail::command_group_of(commandGroupHandlerRef), detail::image_parts::state(imageRef),
            detail::image_parts::request<DataT>("sycl::unsampled_image_accessor", imageRef, AccessMode,
                                                AccessTarget == image_target::host_task, propList))),
        view_(detail::image_parts::view(imageRef)) {}

  /// Of const pixels or of others, if both only read.
  template <typename T,
            std::enable_if_t<AccessMode == access_mode::read &&
                                 std::is_same_v<std::remove_const_t<T>, std::remove_const_t<DataT>> &&
                                 !std::is_same_v<T, DataT>,
                             int> = 0>
  unsampled_image_accessor(
      const unsampled_image_accessor<T, Dimensions, AccessMode, AccessTarget>& other) noexcept
      : state_(other.state_), view_(other.view_) {}

  /// In pixels.
  std::size_t size() const noexcept { return view_.size(); }

  /// The color of a pixel. \c CoordT is int, int2 or int4 (of which the last component is ignored), with x
  /// first; the pixel is one of the image's.
  template <typename CoordT, access_mode Mode = AccessMode,
            std::enable_if_t<detail::mode_reads(Mode), int> = 0>
  std::remove_const_t<DataT> read(const CoordT& coords) const noexcept {
    return color::from(view_.template read<typename color::component>(
        state_.data, detail::image_position<int, Dimensions>(coords).axis));
  }
  /// What the image's format cannot hold becomes the nearest color that it can.
  template <typename CoordT, access_mode Mode = AccessMode,
            std::enable_if_t<detail::mode_writes(Mode), int> = 0>
  void write(const CoordT& coords, const DataT& value) const {
    view_.write(state_.data, detail::image_position<int, Dimensions>(coords).axis, color::to(value));
  }

  template <typename Property>
  bool has_property() const noexcept {
    return std::is_same_v<Property, property::no_init> &&
           (state_.requirement & falx::NO_INIT_REQUIREMENT) != 0;
  }
  /// Throws errc::invalid if the accessor was constructed without the property. Host only.
  template <typename Property>
  Property get_property() const {
    return detail::accessor_property<Property>(has_property<Property>());
  }

  friend bool operator==(const unsampled_image_accessor& a, const unsampled_image_accessor& b) noexcept {
    return detail::same_core(a.state_, b.state_);
  }
  friend bool operator!=(const unsampled_image_accessor& a, const unsampled_image_accessor& b) noexcept {
    return !(a == b);
  }

private:
  friend struct detail::internals;
  template <typename, int, access_mode, image_target>
  friend class unsampled_image_accessor;

  /// First member: the compiler and the runtime find it.
  falx::accessor_core state_;
  detail::image_view<Dimensions> view_;
};

/// Reads and writes pixels of an unsampled_image on the host, outside of commands (SYCL 2020 §4.7.6.14). As a
/// host_accessor it waits for commands that conflict, and the later ones wait for it.
template <typename DataT, int Dimensions, access_mode AccessMode>
class host_unsampled_image_accessor
    : public detail::owner_ordered<host_unsampled_image_accessor<DataT, Dimensions, AccessMode>> {
  static_assert(AccessMode == access_mode::read || AccessMode == access_mode::write ||
                    AccessMode == access_mode::read_write,
                "host accessors of images have access_mode::read, write or read_write");
  static_assert(!std::is_const_v<DataT> || AccessMode == access_mode::read,
                "an accessor of const pixels has access_mode::read");
  using color = detail::image_color<DataT>;

public:
  /// Const if the accessor only reads.
  using value_type = detail::accessed<DataT, AccessMode>;
  using reference = value_type&;
  using const_reference = const DataT&;

  /// Throws errc::invalid if \c DataT does not suit the image's format, and for property::no_init without
  /// writing.
  template <typename AllocatorT>
  host_unsampled_image_accessor(unsampled_image<Dimensions, AllocatorT>& imageRef,
                                const property_list& propList = {})
      : state_(falx::begin_host_access(
            detail::image_parts::state(imageRef),
            detail::image_parts::request<DataT>("sycl::host_unsampled_image_accessor", imageRef, AccessMode,
                                                true, propList))),
        view_(detail::image_parts::view(imageRef)), no_init_(propList.has_property<property::no_init>()) {}

  template <typename T,
            std::enable_if_t<AccessMode == access_mode::read &&
                                 std::is_same_v<std::remove_const_t<T>, std::remove_const_t<DataT>> &&
                                 !std::is_same_v<T, DataT>,
                             int> = 0>
  host_unsampled_image_accessor(
      const host_unsampled_image_accessor<T, Dimensions, AccessMode>& other) noexcept
      : state_(other.state_), view_(other.view_), no_init_(other.no_init_) {}

  std::size_t size() const noexcept { return view_.size(); }

  /// The color of a pixel. \c CoordT is int, int2 or int4 (of which the last component is ignored), with x
  /// first; the pixel is one of the image's.
  template <typename CoordT, access_mode Mode = AccessMode,
            std::enable_if_t<detail::mode_reads(Mode), int> = 0>
  std::remove_const_t<DataT> read(const CoordT& coords) const noexcept {
    return color::from(view_.template read<typename color::component>(
        falx::data_of(*state_), detail::image_position<int, Dimensions>(coords).axis));
  }
  /// What the image's format cannot hold becomes the nearest color that it can.
  template <typename CoordT, access_mode Mode = AccessMode,
            std::enable_if_t<detail::mode_writes(Mode), int> = 0>
  void write(const CoordT& coords, const DataT& value) const {
    view_.write(falx::data_of(*state_), detail::image_position<int, Dimensions>(coords).axis,
                color::to(value));
  }

  template <typename Property>
  bool has_property() const noexcept {
    return std::is_same_v<Property, property::no_init> && no_init_;
  }
  /// Throws errc::invalid if the accessor was constructed without the property. Host only.
  template <typename Property>
  Property get_property() const {
    return detail::accessor_property<Property>(has_property<Property>());
  }

  friend bool operator==(const host_unsampled_image_accessor& a,
                         const host_unsampled_image_accessor& b) noexcept {
    return a.state_ == b.state_;
  }
  friend bool operator!=(const host_unsampled_image_accessor& a,
                         const host_unsampled_image_accessor& b) noexcept {
    return !(a == b);
  }

private:
  friend struct detail::internals;
  template <typename, int, access_mode>
  friend class host_unsampled_image_accessor;

  falx::handle<falx::host_access> state_;
  detail::image_view<Dimensions> view_;
  bool no_init_ = false;
};

} // namespace sycl

template <typename DataT, int Dimensions, sycl::access_mode Mode, sycl::image_target Target>
struct std::hash<sycl::unsampled_image_accessor<DataT, Dimensions, Mode, Target>> {
  std::size_t
  operator()(const sycl::unsampled_image_accessor<DataT, Dimensions, Mode, Target>& object) const noexcept {
    return std::hash<std::uint64_t>()(sycl::detail::requirement_of(object));
  }
};

template <typename DataT, int Dimensions, sycl::access_mode Mode>
struct std::hash<sycl::host_unsampled_image_accessor<DataT, Dimensions, Mode>> {
  std::size_t
  operator()(const sycl::host_unsampled_image_accessor<DataT, Dimensions, Mode>& object) const noexcept {
    return std::hash<const void*>()(sycl::detail::internals::state(object).get());
  }
};
