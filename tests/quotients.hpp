// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

/// \file
/// Numbers by their bits, and dividends whose quotients are hard to round. For tests on the host and in
/// kernels.

/// Unsigned integers of a number's size.
template <class T>
using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// The same bits, or both no numbers.
template <class T>
bool are_same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) ||
         __builtin_bit_cast(bits_of<T>, a) == __builtin_bit_cast(bits_of<T>, b);
}

/// Zeros, ones, ends, and what is no number.
template <class T>
constexpr T SPECIAL_NUMBERS[] = {0,
                                 -T(0),
                                 1,
                                 -1,
                                 std::numeric_limits<T>::min(),
                                 std::numeric_limits<T>::denorm_min(),
                                 std::numeric_limits<T>::max(),
                                 std::numeric_limits<T>::infinity(),
                                 -std::numeric_limits<T>::infinity(),
                                 std::numeric_limits<T>::quiet_NaN()};

/// A whole number with as many digits as T has, or less, the quotient of which by \p divisor, one with all of
/// them, is next to a middle between two numbers: \p off in the last of the product's bits. 1 if there is
/// none.
template <class T>
T hard_dividend(bits_of<T> divisor, int off) {
  using bits = bits_of<T>;
  __extension__ using twice = std::conditional_t<sizeof(T) == 4, std::uint64_t, unsigned __int128>;
  constexpr int MIDDLE = sizeof(T) == 4 ? 25 : 54; // a digit more than T has
  const bits odd =
      divisor >> (sizeof(T) == 4 ? __builtin_ctz(static_cast<unsigned>(divisor)) : __builtin_ctzll(divisor));
  bits inverse = odd; // their product ends with 1
  for (unsigned right = 3; right < sizeof(bits) * 8; right *= 2)
    inverse *= 2 - odd * inverse;
  const bits middle = (static_cast<bits>(off) * inverse) & ((bits{1} << MIDDLE) - 1);
  if ((middle >> (MIDDLE - 1)) == 0)
    return 1;
  const twice product = static_cast<twice>(odd) * middle - static_cast<twice>(off);
  const auto dividend = static_cast<bits>(product >> MIDDLE);
  return dividend == 0 ? T{1} : static_cast<T>(dividend);
}
