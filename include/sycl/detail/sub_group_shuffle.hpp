// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// \file
/// Values of any trivially copyable type between the work-items of a sub-group, in words. Every function
/// gives any value where the work-item it names does not exist.

namespace sycl::detail {

/// Gives the value whose words are those of \p value after \p move, which takes 32 and 64 bits.
template <class T, class Move>
inline T move_words(const T& value, Move move) {
  static_assert(std::is_trivially_copyable_v<T>, "group functions move trivially copyable values only");
  T result = value;
  if constexpr (std::is_same_v<T, bool>) {
    result = (move(std::uint32_t(value)) & 1) != 0; // where no work-item is, there may be any word
  } else if constexpr (sizeof(T) <= 4) {
    std::uint32_t word = 0;
    __builtin_memcpy(&word, &value, sizeof(T));
    word = move(word);
    __builtin_memcpy(&result, &word, sizeof(T));
  } else {
    constexpr std::size_t whole = sizeof(T) / 8;
    constexpr std::size_t rest = sizeof(T) % 8;
    const unsigned char* from = reinterpret_cast<const unsigned char*>(&value);
    unsigned char* to = reinterpret_cast<unsigned char*>(&result);
    for (std::size_t i = 0; i < whole; ++i) {
      std::uint64_t word;
      __builtin_memcpy(&word, from + 8 * i, 8);
      word = move(word);
      __builtin_memcpy(to + 8 * i, &word, 8);
    }
    if constexpr (rest != 0) {
      std::conditional_t<(rest > 4), std::uint64_t, std::uint32_t> word = 0;
      __builtin_memcpy(&word, from + 8 * whole, rest);
      word = move(word);
      __builtin_memcpy(to + 8 * whole, &word, rest);
    }
  }
  return result;
}

#define FALX_SHUFFLE(name, builtin, argument)                                                                \
  struct name##_words {                                                                                      \
    std::uint32_t argument;                                                                                  \
    std::uint32_t operator()(std::uint32_t word) const { return builtin##_u32(word, argument); }             \
    std::uint64_t operator()(std::uint64_t word) const { return builtin##_u64(word, argument); }             \
  };                                                                                                         \
  template <class T>                                                                                         \
  inline T name(const T& value, std::uint32_t argument) {                                                    \
    return move_words(value, name##_words{argument});                                                        \
  }
/// From \p lane.
FALX_SHUFFLE(sub_group_shuffle, __falx_sub_group_shuffle, lane)
/// From the work-item \p distance places before.
FALX_SHUFFLE(sub_group_shuffle_up, __falx_sub_group_shuffle_up, distance)
/// From the work-item \p distance places behind.
FALX_SHUFFLE(sub_group_shuffle_down, __falx_sub_group_shuffle_down, distance)
FALX_SHUFFLE(sub_group_shuffle_xor, __falx_sub_group_shuffle_xor, mask)
#undef FALX_SHUFFLE

} // namespace sycl::detail
