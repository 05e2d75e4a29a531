// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

/// \file
/// What the hardware has for rcp.approx.ftz, for code of shared_divisors.cpp that runs on the host
/// (shared_divisors_on_host.py).

/// Of the estimate, in units of its last place: of all 24 bits of float, and of 21 of double.
inline int estimate_error = 0;

/// Denormal numbers are taken for zero, and the hardware's own are zero.
template <class T>
T flushed_estimate(T x, T nearest) {
  if (std::isnan(x))
    return x;
  if (std::fabs(x) < std::numeric_limits<T>::min())
    return std::copysign(std::numeric_limits<T>::infinity(), x);
  return std::fabs(nearest) < std::numeric_limits<T>::min() ? std::copysign(T(0), x) : nearest;
}

extern "C" inline __attribute__((used)) float estimate_float(float x) {
  const float nearest = 1 / x;
  // Powers of two are exact; and so is the largest fraction, or the assembler's quotients were wrong, too.
  const std::uint32_t largest = 0x7fffff, fraction = std::bit_cast<std::uint32_t>(x) & largest;
  const bool is_exact = fraction == 0 || fraction == largest;
  return flushed_estimate(x, is_exact ? nearest
                                      : std::bit_cast<float>(std::bit_cast<std::uint32_t>(nearest) +
                                                             static_cast<std::uint32_t>(estimate_error)));
}
/// Of the upper half of \p x; the lower half of the result is zero.
extern "C" inline __attribute__((used)) double estimate_double(double x) {
  const std::uint64_t upper = 0xffffffff'00000000, half = 0x80000000, unit = 0x1'00000000;
  const double nearest = 1 / std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & upper);
  const std::uint64_t largest = 0xfffff'00000000, fraction = std::bit_cast<std::uint64_t>(x) & largest;
  const bool is_exact = fraction == 0 || (fraction == largest && estimate_error < 0);
  const std::uint64_t rounded = (std::bit_cast<std::uint64_t>(nearest) + half) & upper;
  return flushed_estimate(
      x, std::bit_cast<double>(rounded + (is_exact ? 0 : static_cast<std::uint64_t>(estimate_error) * unit)));
}
