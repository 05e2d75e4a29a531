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

namespace ext::oneapi {
template <typename... Properties>
class accessor_property_list;
} // namespace ext::oneapi

template <typename T>
class buffer_allocator;

template <typename T, int Dimensions = 1, typename AllocatorT = buffer_allocator<std::remove_const_t<T>>>
class buffer;

template <typename DataT, int Dimensions = 1,
          access_mode AccessMode = (std::is_const_v<DataT> ? access_mode::read : access_mode::read_write),
          target AccessTarget = target::device,
          access::placeholder IsPlaceholder = access::placeholder::false_t,
          typename PropertyListT = ext::oneapi::accessor_property_list<>>
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

template <typename DataT, int Dimensions, access_mode Mode, target Target, access::placeholder P,
          typename List>
struct is_property_of<property::no_init, accessor<DataT, Dimensions, Mode, Target, P, List>>
    : std::true_type {};
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
  /// What is deduced where the other arguments say \p Others.
  template <accessor_variant Others>
  static constexpr accessor_variant variant = Others;
};
template <access_mode Mode, sycl::target Target>
struct access_tag<mode_target_tag_t<Mode, Target>> : access_tag<mode_tag_t<Mode>> {
  static constexpr sycl::target target = Target;
};
template <access_mode Mode>
struct access_tag<raw_tag_t<Mode>> {
  static constexpr access_mode mode = Mode;
  static constexpr sycl::target target = sycl::target::device;
  template <accessor_variant>
  static constexpr accessor_variant variant = accessor_variant::raw;
};

template <class T>
inline constexpr bool is_access_tag = false;
template <access_mode Mode>
inline constexpr bool is_access_tag<mode_tag_t<Mode>> = true;

/// The tag of the same access in a host task; other arguments as they are.
template <class T>
constexpr const T& for_host_task(const T& argument) noexcept {
  return argument;
}
template <access_mode Mode>
constexpr auto for_host_task(mode_tag_t<Mode>) noexcept {
  return mode_target_tag_t<Mode, target::host_task>();
}

/// The variant that deduction gives where \p Best would do: SYCL's own, unless the program asks for
/// AdaptiveCpp's by defining ACPP_EXT_ACCESSOR_VARIANT_DEDUCTION before it includes SYCL. A type says which,
/// so that translation units that differ share nothing.
template <accessor_variant Best, class Deduction>
inline constexpr accessor_variant variant_for = Deduction::value ? Best : accessor_variant::false_t;
#ifdef ACPP_EXT_ACCESSOR_VARIANT_DEDUCTION
using variant_deduction = std::true_type;
#else
using variant_deduction = std::false_type;
#endif

template <class Tag, accessor_variant Best, class Deduction>
inline constexpr accessor_variant tagged_variant =
    access_tag<Tag>::template variant<variant_for<Best, Deduction>>;
/// Of an accessor that is given none.
template <class DataT>
inline constexpr access_mode default_mode =
    std::is_const_v<DataT> ? access_mode::read : access_mode::read_write;

constexpr bool is_unranged(accessor_variant variant) noexcept {
  return variant == accessor_variant::unranged || variant == accessor_variant::unranged_placeholder;
}
/// Belongs to a command group for certain.
constexpr bool is_compact(accessor_variant variant) noexcept {
  return variant == accessor_variant::unranged || variant == accessor_variant::ranged ||
         variant == accessor_variant::raw;
}
constexpr bool is_standard(accessor_variant variant) noexcept {
  return variant == accessor_variant::false_t || variant == accessor_variant::true_t;
}
/// Whether one variant converts to another: not if that drops a range or invents what a pointer does not
/// know, and no accessor of a command group becomes a placeholder.
constexpr bool variant_converts(accessor_variant from, accessor_variant to) noexcept {
  if (from == to)
    return true;
  if (from == accessor_variant::raw)
    return false;
  if (is_standard(to) || to == accessor_variant::raw)
    return true;
  if (is_unranged(to) && !is_unranged(from))
    return false;
  return is_compact(to) || !is_compact(from);
}

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

/// Whether an accessor converts implicitly to a read-only one (SYCL 2020 §4.7.6.9.3), or to another variant.
template <class FromT, access_mode From, class ToT, access_mode To>
inline constexpr bool accessor_converts_v =
    To == access_mode::read && (From == access_mode::read || From == access_mode::read_write) &&
    std::is_same_v<std::remove_const_t<FromT>, std::remove_const_t<ToT>>;

template <class FromT, access_mode From, accessor_variant FromVariant, class ToT, access_mode To,
          accessor_variant ToVariant>
inline constexpr bool variant_converts_v =
    (accessor_converts_v<FromT, From, ToT, To> || (std::is_same_v<FromT, ToT> && From == To)) &&
    variant_converts(FromVariant, ToVariant);

} // namespace detail
} // namespace sycl
