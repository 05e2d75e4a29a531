// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../quotients.hpp"
#include "../sycl/elementary_functions.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

/// \file
/// How far functions in kernels are off, over all numbers or samples of them. The reference is the C library
/// in the next larger type, whose own error is below a thousandth of a unit in the last place.

/// The type that a number's reference is computed in.
template <class T>
using reference_of = std::conditional_t<sizeof(T) == 4, double, long double>;

template <class T>
T from_bits(bits_of<T> bits) {
  T x;
  std::memcpy(&x, &bits, sizeof(x));
  return x;
}

/// What no number of units says: NaN, infinity or the sign of f(0) are wrong.
constexpr double WRONG = 1e9;

/// Distance from the exact value in units in the last place of T. Beyond the largest number of T the exact
/// value counts as if T went on.
template <class T>
double error_in_units(T result, reference_of<T> exact) {
  using limits = std::numeric_limits<T>;
  if (std::isnan(exact) || std::isnan(result))
    return std::isnan(exact) && std::isnan(result) ? 0 : WRONG;
  if (exact == 0 && result == 0)
    return 0;
  if (std::isinf(exact))
    return std::isinf(result) && (result > 0) == (exact > 0) ? 0 : WRONG;
  // The spacing at what is not zero or infinity; there infinity stands for twice the largest power of two.
  const reference_of<T> size = std::fabs(exact);
  const reference_of<T> largest = limits::max();
  const int exponent = size < static_cast<reference_of<T>>(limits::min()) ? limits::min_exponent - 1
                       : size > largest                                   ? limits::max_exponent - 1
                                                                          : std::ilogb(size);
  const reference_of<T> value =
      std::isinf(result) ? std::copysign(std::ldexp(reference_of<T>(1), limits::max_exponent), result)
                         : result;
  if (std::isinf(result) && size > largest)
    return (result > 0) == (exact > 0) ? 0 : WRONG;
  return static_cast<double>(std::ldexp(std::fabs(value - exact), limits::digits - 1 - exponent));
}

template <class T>
struct worst_case {
  double error = 0;
  T argument{};
  T result{};

  void add(T x, T y, reference_of<T> exact) {
    const bool has_wrong_sign = x == 0 && y == 0 && std::signbit(y) != std::signbit(exact);
    const double found = has_wrong_sign ? WRONG : error_in_units(y, exact);
    if (found > error)
      *this = {found, x, y};
  }
  void add(const worst_case& other) {
    if (other.error > error)
      *this = other;
  }
};
