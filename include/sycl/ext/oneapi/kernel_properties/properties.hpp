// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/aspect.hpp"
#include "sycl/ext/oneapi/properties/properties.hpp"
#include "sycl/feature_test.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

/// \file
/// SYCL extension sycl_ext_oneapi_kernel_properties: what the attributes of SYCL 2020 §5.8.1 say about a
/// kernel, as properties that a launch or the kernel's class carries.

namespace sycl::ext::oneapi::experimental {

/// Names the member function `get(properties_tag)` of a kernel's class, which gives the properties of all its
/// call operators.
struct properties_tag {};

/// As [[sycl::reqd_work_group_size]].
struct work_group_size_key {
  template <std::size_t... Dims>
  using value_t = property_value<work_group_size_key, std::integral_constant<std::size_t, Dims>...>;
};
/// As [[sycl::work_group_size_hint]].
struct work_group_size_hint_key {
  template <std::size_t... Dims>
  using value_t = property_value<work_group_size_hint_key, std::integral_constant<std::size_t, Dims>...>;
};
/// As [[sycl::reqd_sub_group_size]].
struct sub_group_size_key {
  template <std::uint32_t Size>
  using value_t = property_value<sub_group_size_key, std::integral_constant<std::uint32_t, Size>>;
};
/// As [[sycl::device_has]]: the kernel runs on devices that have all of these aspects.
struct device_has_key {
  template <aspect... Aspects>
  using value_t = property_value<device_has_key, std::integral_constant<aspect, Aspects>...>;
};
/// The kernel is never launched with groups that are larger in any dimension: such a launch throws
/// errc::nd_range.
struct max_work_group_size_key {
  template <std::size_t... Dims>
  using value_t = property_value<max_work_group_size_key, std::integral_constant<std::size_t, Dims>...>;
};
/// Nor with groups of more work-items than this.
struct max_linear_work_group_size_key {
  template <std::size_t Size>
  using value_t = property_value<max_linear_work_group_size_key, std::integral_constant<std::size_t, Size>>;
};

/// The groups of the launch may wait for each other (sycl_ext_oneapi_root_group). A launch with more of them
/// than can run at once throws errc::nd_range.
struct use_root_sync_key {
  using value_t = property_value<use_root_sync_key>;
};
/// So many bytes of local memory for get_work_group_scratch_memory
/// (sycl_ext_oneapi_work_group_scratch_memory).
struct work_group_scratch_size {
  constexpr work_group_scratch_size(std::size_t bytes) : value(bytes) {}
  std::size_t value;
};
using work_group_scratch_size_key = work_group_scratch_size;

namespace detail {

/// The extents of a work-group in the order of a sycl::range.
template <typename Key, std::size_t... Dims>
struct group_extents {
  static_assert(sizeof...(Dims) >= 1 && sizeof...(Dims) <= 3, "work-groups have 1, 2 or 3 dimensions");
  static_assert(((Dims > 0) && ...), "a work-group has at least one work-item in each dimension");
  using key_t = Key;
  constexpr std::size_t operator[](int dim) const noexcept {
    const std::size_t extents[] = {Dims...};
    return extents[dim];
  }
};

/// What the macro below tells the compiler of a property of a function: a bit for each aspect.
template <aspect... Aspects>
constexpr unsigned long long
function_property(property_value<device_has_key, std::integral_constant<aspect, Aspects>...>) noexcept {
  return (0ull | ... | (1ull << static_cast<unsigned>(Aspects)));
}

template <aspect... Aspects>
struct listed_aspects {
  using key_t = device_has_key;
  static constexpr std::array<aspect, sizeof...(Aspects)> value{Aspects...};
};

} // namespace detail

// One parameter has a specialization of its own, as property_value has one for any key.
template <std::size_t X>
struct property_value<work_group_size_key, std::integral_constant<std::size_t, X>>
    : detail::group_extents<work_group_size_key, X> {};
template <std::size_t... Dims>
struct property_value<work_group_size_key, std::integral_constant<std::size_t, Dims>...>
    : detail::group_extents<work_group_size_key, Dims...> {};
template <std::size_t X>
struct property_value<work_group_size_hint_key, std::integral_constant<std::size_t, X>>
    : detail::group_extents<work_group_size_hint_key, X> {};
template <std::size_t... Dims>
struct property_value<work_group_size_hint_key, std::integral_constant<std::size_t, Dims>...>
    : detail::group_extents<work_group_size_hint_key, Dims...> {};
template <std::size_t X>
struct property_value<max_work_group_size_key, std::integral_constant<std::size_t, X>>
    : detail::group_extents<max_work_group_size_key, X> {};
template <std::size_t... Dims>
struct property_value<max_work_group_size_key, std::integral_constant<std::size_t, Dims>...>
    : detail::group_extents<max_work_group_size_key, Dims...> {};
template <aspect A>
struct property_value<device_has_key, std::integral_constant<aspect, A>> : detail::listed_aspects<A> {};
template <aspect... Aspects>
struct property_value<device_has_key, std::integral_constant<aspect, Aspects>...>
    : detail::listed_aspects<Aspects...> {};

template <std::size_t... Dims>
inline constexpr work_group_size_key::value_t<Dims...> work_group_size;
template <std::size_t... Dims>
inline constexpr work_group_size_hint_key::value_t<Dims...> work_group_size_hint;
template <std::uint32_t Size>
inline constexpr sub_group_size_key::value_t<Size> sub_group_size;
template <aspect... Aspects>
inline constexpr device_has_key::value_t<Aspects...> device_has;
template <std::size_t... Dims>
inline constexpr max_work_group_size_key::value_t<Dims...> max_work_group_size;
template <std::size_t Size>
inline constexpr max_linear_work_group_size_key::value_t<Size> max_linear_work_group_size;

inline constexpr use_root_sync_key::value_t use_root_sync;

template <>
struct is_property_key<use_root_sync_key> : std::true_type {};
template <>
struct is_property_key<work_group_scratch_size_key> : std::true_type {};
template <>
struct is_property_key<work_group_size_key> : std::true_type {};
template <>
struct is_property_key<work_group_size_hint_key> : std::true_type {};
template <>
struct is_property_key<sub_group_size_key> : std::true_type {};
template <>
struct is_property_key<device_has_key> : std::true_type {};
template <>
struct is_property_key<max_work_group_size_key> : std::true_type {};
template <>
struct is_property_key<max_linear_work_group_size_key> : std::true_type {};

} // namespace sycl::ext::oneapi::experimental

/// In front of a device function: it uses optional features of the aspects that property device_has, the
/// argument, lists, and of no others, as [[sycl::device_has]] says (SYCL 2020 §5.8.2).
#define SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(...)                                                               \
  [[clang::annotate("falx.attr.device_has_mask",                                                             \
                    ::sycl::ext::oneapi::experimental::detail::function_property(__VA_ARGS__))]]
