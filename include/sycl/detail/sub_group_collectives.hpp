// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// \file
/// Collectives of one sub-group on top of the shuffle builtins. Loops run to the maximal sub-group size,
/// which is a constant when machine code is made: with size 1 nothing is left of them.

namespace sycl::detail {

/// The value that \p lane passed; any value if there is no such lane. Values travel in words.
template <class T>
inline T sub_group_shuffle(const T& value, std::uint32_t lane) {
  static_assert(std::is_trivially_copyable_v<T>, "group functions move trivially copyable values only");
  T result = value;
  if constexpr (sizeof(T) <= 4) {
    std::uint32_t word = 0;
    __builtin_memcpy(&word, &value, sizeof(T));
    word = __falx_sub_group_shuffle_u32(word, lane);
    __builtin_memcpy(&result, &word, sizeof(T));
  } else {
    constexpr std::size_t count = (sizeof(T) + 7) / 8;
    std::uint64_t words[count] = {};
    __builtin_memcpy(words, &value, sizeof(T));
    for (std::size_t i = 0; i < count; ++i)
      words[i] = __falx_sub_group_shuffle_u64(words[i], lane);
    __builtin_memcpy(&result, words, sizeof(T));
  }
  return result;
}

/// Combines the values of the first \p active lanes (at least 1); the result is for every lane. Lane i holds
/// the values from i to i + 2 * offset - 1, as far as there are any, after each step.
template <class T, class Operation>
inline T sub_group_reduce(T value, Operation operation, std::uint32_t active) {
  const std::uint32_t lane = __falx_sub_group_local_id();
  for (std::uint32_t offset = 1; offset < __falx_sub_group_max_size(); offset *= 2) {
    const T other = sub_group_shuffle(value, lane + offset);
    if (lane + offset < active)
      value = static_cast<T>(operation(value, other));
  }
  return sub_group_shuffle(value, 0);
}

/// Combines the values of the lanes up to and including this one, in order.
template <class T, class Operation>
inline T sub_group_inclusive_scan(T value, Operation operation) {
  const std::uint32_t lane = __falx_sub_group_local_id();
  for (std::uint32_t offset = 1; offset < __falx_sub_group_max_size(); offset *= 2) {
    const T other = sub_group_shuffle(value, lane - offset);
    if (lane >= offset)
      value = static_cast<T>(operation(other, value));
  }
  return value;
}

} // namespace sycl::detail
