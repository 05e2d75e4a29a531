// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/detail/elementwise.hpp"
#include "sycl/detail/sub_group_shuffle.hpp"
#include "sycl/functional.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// \file
/// Reductions and scans of one sub-group. Loops run to the maximal sub-group size, which is a constant when
/// machine code is made: with size 1 nothing is left of them.

namespace sycl::detail {

/// How a device may combine all values of a sub-group at once.
enum class native_combination { none, add, min, max, bit_and, bit_or, bit_xor, every, some };

/// half and bfloat16: what is no arithmetic comes out of float unchanged.
template <class T>
constexpr bool is_narrow_floating = is_floating<T> && sizeof(T) == 2;

/// The builtin for \p Operation on T, as far as its result is the one that the operation itself gives: sums
/// of narrow floating-point numbers round after each step, so they have none.
template <class Operation, class T>
constexpr native_combination native_combination_of() {
  constexpr bool integer = std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8;
  constexpr bool floating = std::is_same_v<T, float> || std::is_same_v<T, double>;
  if constexpr (std::is_same_v<T, bool>) {
    if constexpr (is_operation<logical_and, Operation, T> || is_operation<bit_and, Operation, T>)
      return native_combination::every;
    else if constexpr (is_operation<logical_or, Operation, T> || is_operation<bit_or, Operation, T>)
      return native_combination::some;
    else
      return native_combination::none;
  } else if constexpr ((integer || floating) && is_operation<plus, Operation, T>) {
    return native_combination::add;
  } else if constexpr ((integer || floating || is_narrow_floating<T>) &&
                       is_operation<minimum, Operation, T>) {
    return native_combination::min;
  } else if constexpr ((integer || floating || is_narrow_floating<T>) &&
                       is_operation<maximum, Operation, T>) {
    return native_combination::max;
  } else if constexpr (integer && is_operation<bit_and, Operation, T>) {
    return native_combination::bit_and;
  } else if constexpr (integer && is_operation<bit_or, Operation, T>) {
    return native_combination::bit_or;
  } else if constexpr (integer && is_operation<bit_xor, Operation, T>) {
    return native_combination::bit_xor;
  } else {
    return native_combination::none;
  }
}

/// Types that the builtins take, from those of the language. Narrow integers wrap around on the way back.
template <class T>
constexpr auto native_operand() {
  if constexpr (is_narrow_floating<T> || std::is_same_v<T, float>)
    return float();
  else if constexpr (std::is_same_v<T, double>)
    return double();
  else if constexpr (std::is_signed_v<T>)
    return std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>();
  else
    return std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>();
}

// Overloads by type, so that a row says which builtin it is.
#define FALX_COMBINE(operation, suffix, type)                                                                \
  inline type native_##operation(type value) {                                                               \
    return __falx_sub_group_reduce_##operation##_##suffix(value);                                            \
  }
#define FALX_COMBINE_BITS(operation)                                                                         \
  FALX_COMBINE(operation, u32, std::uint32_t) FALX_COMBINE(operation, u64, std::uint64_t)
#define FALX_COMBINE_ORDERED(operation)                                                                      \
  FALX_COMBINE_BITS(operation)                                                                               \
  FALX_COMBINE(operation, s32, std::int32_t)                                                                 \
  FALX_COMBINE(operation, s64, std::int64_t)                                                                 \
  FALX_COMBINE(operation, f32, float)                                                                        \
  FALX_COMBINE(operation, f64, double)
FALX_COMBINE_BITS(add)
FALX_COMBINE(add, f32, float)
FALX_COMBINE(add, f64, double)
FALX_COMBINE_ORDERED(min)
FALX_COMBINE_ORDERED(max)
FALX_COMBINE_BITS(and)
FALX_COMBINE_BITS(or)
FALX_COMBINE_BITS(xor)
#undef FALX_COMBINE_ORDERED
#undef FALX_COMBINE_BITS
#undef FALX_COMBINE

/// Combines the values of all work-items with a builtin.
template <native_combination Combination, class T>
inline T combine_natively(const T& value) {
  if constexpr (Combination == native_combination::every) {
    return __falx_sub_group_all(value);
  } else if constexpr (Combination == native_combination::some) {
    return __falx_sub_group_any(value);
  } else {
    using operand = decltype(native_operand<T>());
    const operand wide = static_cast<operand>(value);
    if constexpr (Combination == native_combination::min) {
      return static_cast<T>(native_min(wide));
    } else if constexpr (Combination == native_combination::max) {
      return static_cast<T>(native_max(wide));
    } else if constexpr (std::is_floating_point_v<operand>) {
      return static_cast<T>(native_add(wide));
    } else {
      // Signs do not matter to sums and bits.
      using bits = std::make_unsigned_t<operand>;
      if constexpr (Combination == native_combination::add)
        return static_cast<T>(native_add(static_cast<bits>(wide)));
      else if constexpr (Combination == native_combination::bit_and)
        return static_cast<T>(native_and(static_cast<bits>(wide)));
      else if constexpr (Combination == native_combination::bit_or)
        return static_cast<T>(native_or(static_cast<bits>(wide)));
      else
        return static_cast<T>(native_xor(static_cast<bits>(wide)));
    }
  }
}

/// Combines the values of the first \p active work-items (at least 1); the result is for every work-item.
template <class T, class Operation>
inline T sub_group_reduce(T value, Operation operation, std::uint32_t active) {
  const std::uint32_t lane = __falx_sub_group_local_id();
  constexpr native_combination native = native_combination_of<Operation, T>();
  if constexpr (native != native_combination::none) {
    return combine_natively<native>(lane < active ? value : identity_of<Operation, T>());
  } else {
    // Work-item i holds the values from i to i + 2 * distance - 1, as far as there are any, after each step.
    for (std::uint32_t distance = 1; distance < __falx_sub_group_max_size(); distance *= 2) {
      const T other = sub_group_shuffle_down(value, distance);
      if (lane + distance < active)
        value = static_cast<T>(operation(value, other));
    }
    return sub_group_shuffle(value, 0);
  }
}

/// Combines the values of all work-items.
template <class T, class Operation>
inline T sub_group_reduce(const T& value, Operation operation) {
  constexpr native_combination native = native_combination_of<Operation, T>();
  if constexpr (native != native_combination::none)
    return combine_natively<native>(value);
  else
    return sub_group_reduce(value, operation, __falx_sub_group_size());
}

/// Combines the values of the work-items up to and including this one, in order.
template <class T, class Operation>
inline T sub_group_inclusive_scan(T value, Operation operation) {
  const std::uint32_t lane = __falx_sub_group_local_id();
  for (std::uint32_t distance = 1; distance < __falx_sub_group_max_size(); distance *= 2) {
    const T other = sub_group_shuffle_up(value, distance);
    if (lane >= distance)
      value = static_cast<T>(operation(other, value));
  }
  return value;
}

} // namespace sycl::detail
