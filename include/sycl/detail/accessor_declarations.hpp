// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/access.hpp"
#include "sycl/property_list.hpp"

#include <type_traits>

/// \file
/// Names of buffers and accessors with their default arguments, and what accessors are constructed with.

namespace sycl {

class handler;

template <typename T>
class buffer_allocator;

template <typename T, int Dimensions = 1, typename AllocatorT = buffer_allocator<std::remove_const_t<T>>>
class buffer;

template <typename DataT, int Dimensions = 1,
          access_mode AccessMode = (std::is_const_v<DataT> ? access_mode::read : access_mode::read_write),
          target AccessTarget = target::device,
          access::placeholder IsPlaceholder = access::placeholder::false_t>
class accessor;

template <typename DataT, int Dimensions = 1,
          access_mode AccessMode = (std::is_const_v<DataT> ? access_mode::read : access_mode::read_write)>
class host_accessor;

template <typename DataT, access::address_space Space>
class atomic;

namespace property {

/// The accessor's command writes before it reads: earlier contents need not be kept (SYCL 2020 §4.7.6.5).
struct no_init : detail::property_base {};

} // namespace property

inline constexpr property::no_init no_init{};

template <typename DataT, int Dimensions, access_mode Mode, target Target, access::placeholder P>
struct is_property_of<property::no_init, accessor<DataT, Dimensions, Mode, Target, P>> : std::true_type {};
template <typename DataT, int Dimensions, access_mode Mode>
struct is_property_of<property::no_init, host_accessor<DataT, Dimensions, Mode>> : std::true_type {};

namespace detail {

/// What a deduction tag stands for (SYCL 2020 §4.7.6.4); no member `mode` for other types.
template <class Tag>
struct access_tag {};
template <access_mode Mode>
struct access_tag<mode_tag_t<Mode>> {
  static constexpr access_mode mode = Mode;
  static constexpr sycl::target target = sycl::target::device;
};
template <access_mode Mode, sycl::target Target>
struct access_tag<mode_target_tag_t<Mode, Target>> {
  static constexpr access_mode mode = Mode;
  static constexpr sycl::target target = Target;
};

constexpr bool mode_reads(access_mode mode) noexcept {
  return mode != access_mode::write && mode != access_mode::discard_write;
}
constexpr bool mode_writes(access_mode mode) noexcept {
  return mode != access_mode::read;
}
constexpr bool mode_discards(access_mode mode) noexcept {
  return mode == access_mode::discard_write || mode == access_mode::discard_read_write;
}

/// Type of an accessor's elements: read-only accessors give const ones.
template <class DataT, access_mode Mode>
using accessed = std::conditional_t<Mode == access_mode::read, const DataT, DataT>;

/// A zero-dimensional accessor is made from a one-dimensional buffer.
constexpr int buffer_dimensions(int accessor_dimensions) noexcept {
  return accessor_dimensions == 0 ? 1 : accessor_dimensions;
}

/// Whether an accessor of DataT and mode may be made from a buffer of BufferT: constness is only added.
template <class BufferT, class DataT, access_mode Mode>
inline constexpr bool may_access_v =
    std::is_same_v<std::remove_const_t<BufferT>, std::remove_const_t<DataT>> &&
    (!std::is_const_v<BufferT> || Mode == access_mode::read);

/// Whether an accessor converts implicitly to a read-only one (SYCL 2020 §4.7.6.9.3).
template <class FromT, access_mode From, class ToT, access_mode To>
inline constexpr bool accessor_converts_v =
    To == access_mode::read && (From == access_mode::read || From == access_mode::read_write) &&
    std::is_same_v<std::remove_const_t<FromT>, std::remove_const_t<ToT>>;

} // namespace detail
} // namespace sycl
