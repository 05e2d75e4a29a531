// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/properties/properties.hpp"

#include <type_traits>

/// \file
/// Properties that say which work-item has which elements of a group (SYCL extensions
/// sycl_ext_oneapi_group_load_store and sycl_ext_oneapi_group_sort).

namespace sycl::ext::oneapi::experimental {

/// Work-item i has the elements from i * count on; or element i of each row of as many as the group has
/// work-items.
enum class group_algorithm_data_placement { blocked, striped };

struct data_placement_key {
  template <group_algorithm_data_placement Placement>
  using value_t =
      property_value<data_placement_key, std::integral_constant<group_algorithm_data_placement, Placement>>;
};
struct input_data_placement_key {
  template <group_algorithm_data_placement Placement>
  using value_t = property_value<input_data_placement_key,
                                 std::integral_constant<group_algorithm_data_placement, Placement>>;
};
struct output_data_placement_key {
  template <group_algorithm_data_placement Placement>
  using value_t = property_value<output_data_placement_key,
                                 std::integral_constant<group_algorithm_data_placement, Placement>>;
};
/// Promises that make loads and stores of other devices faster.
struct contiguous_memory_key {
  using value_t = property_value<contiguous_memory_key>;
};
struct full_group_key {
  using value_t = property_value<full_group_key>;
};

template <group_algorithm_data_placement Placement>
inline constexpr data_placement_key::value_t<Placement> data_placement;
inline constexpr data_placement_key::value_t<group_algorithm_data_placement::blocked> data_placement_blocked;
inline constexpr data_placement_key::value_t<group_algorithm_data_placement::striped> data_placement_striped;
template <group_algorithm_data_placement Placement>
inline constexpr input_data_placement_key::value_t<Placement> input_data_placement;
template <group_algorithm_data_placement Placement>
inline constexpr output_data_placement_key::value_t<Placement> output_data_placement;
inline constexpr input_data_placement_key::value_t<group_algorithm_data_placement::blocked>
    input_data_placement_blocked;
inline constexpr input_data_placement_key::value_t<group_algorithm_data_placement::striped>
    input_data_placement_striped;
inline constexpr output_data_placement_key::value_t<group_algorithm_data_placement::blocked>
    output_data_placement_blocked;
inline constexpr output_data_placement_key::value_t<group_algorithm_data_placement::striped>
    output_data_placement_striped;
inline constexpr contiguous_memory_key::value_t contiguous_memory;
inline constexpr full_group_key::value_t full_group;

template <>
struct is_property_key<data_placement_key> : std::true_type {};
template <>
struct is_property_key<input_data_placement_key> : std::true_type {};
template <>
struct is_property_key<output_data_placement_key> : std::true_type {};
template <>
struct is_property_key<contiguous_memory_key> : std::true_type {};
template <>
struct is_property_key<full_group_key> : std::true_type {};

namespace detail {

/// What \p Properties say by \p Key, blocked if nothing.
template <class Key, class Properties>
constexpr bool places_blocks() {
  if constexpr (Properties::template has_property<Key>())
    return Properties::template get_property<Key>().value == group_algorithm_data_placement::blocked;
  else
    return true;
}
template <class Key, class Properties>
inline constexpr bool is_blocked = places_blocks<Key, Properties>();

} // namespace detail

} // namespace sycl::ext::oneapi::experimental
