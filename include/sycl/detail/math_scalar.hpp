// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/detail/vec_convert.hpp"

#include <cstdint>
#include <limits>

/// \file
/// Scalar math functions that libm does not have, or that vectorise better when written out. T is float or
/// double; half goes through float, which has enough digits for every result to be as if rounded once. Errors
/// are within the limits of SYCL 2020 §4.17.4 (those of OpenCL C); special values follow OpenCL C 3.0 §7.5.1.

namespace sycl::detail::scalar {

template <class T>
constexpr T pi = static_cast<T>(3.14159265358979323846264338327950288L);

/// Bits of the significand as stored.
template <class T>
constexpr int fraction_bits = std::numeric_limits<T>::digits - 1;

template <class T>
inline T abs_of(T x) {
  return __builtin_elementwise_abs(x);
}
template <class T>
inline T with_sign_of(T magnitude, T sign) {
  return __builtin_elementwise_copysign(magnitude, sign);
}
template <class T>
inline bool is_nan(T x) {
  return x != x;
}
template <class T>
inline bool is_infinite(T x) {
  return abs_of(x) == std::numeric_limits<T>::infinity();
}

/// sin and cos of pi * x, by exact reduction to the nearest quarter turn.
template <class T>
struct half_turns {
  /// Of the angle pi * remainder, with |remainder| <= 1/4.
  T sine, cosine;
  /// Quarter turns that were taken off, modulo 4.
  int quarters;

  explicit half_turns(T magnitude) {
    const T turns = magnitude * T(0.5);
    const T reduced =
        (turns - __builtin_elementwise_floor(turns)) * T(2); // in [0, 2), exact; NaN for infinity
    const T quarter = __builtin_elementwise_rint(reduced * T(2));
    const T angle = (reduced - quarter * T(0.5)) * pi<T>;
    sine = __builtin_elementwise_sin(angle);
    cosine = __builtin_elementwise_cos(angle);
    quarters = is_nan(quarter) ? 0 : static_cast<int>(quarter) & 3;
  }
};

template <class T>
inline T sinpi(T x) {
  const half_turns<T> h(abs_of(x));
  const T value = (h.quarters & 1) != 0 ? h.cosine : h.sine;
  // Zeros at whole numbers have the sign of x.
  const T magnitude = (h.quarters & 2) != 0 && value != T(0) ? -value : value;
  return __builtin_signbit(x) ? -magnitude : magnitude;
}
template <class T>
inline T cospi(T x) {
  const half_turns<T> h(abs_of(x));
  const T value = (h.quarters & 1) != 0 ? h.sine : h.cosine;
  const bool negative = h.quarters == 1 || h.quarters == 2;
  return negative && value != T(0) ? -value : abs_of(value) == T(0) ? T(0) : value;
}
template <class T>
inline T tanpi(T x) {
  const half_turns<T> h(abs_of(x));
  // Odd quarters are poles and negative slopes, even ones zeros; the sign of a zero or pole alternates.
  const bool odd_half = h.quarters >= 2;
  T value;
  if ((h.quarters & 1) != 0)
    value = h.sine == T(0)
                ? (odd_half ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity())
                : -h.cosine / h.sine;
  else
    value = h.sine == T(0) && odd_half ? T(-0.0) : h.sine / h.cosine;
  return __builtin_signbit(x) ? -value : value;
}
template <class T>
inline T acospi(T x) {
  return __builtin_elementwise_acos(x) / pi<T>;
}
template <class T>
inline T asinpi(T x) {
  return __builtin_elementwise_asin(x) / pi<T>;
}
template <class T>
inline T atanpi(T x) {
  return __builtin_elementwise_atan(x) / pi<T>;
}
template <class T>
inline T atan2pi(T y, T x) {
  return __builtin_elementwise_atan2(y, x) / pi<T>;
}

inline float rsqrt(float x) {
  return __falx_rsqrt_f32(x);
}
inline double rsqrt(double x) {
  return __falx_rsqrt_f64(x);
}
template <class T>
inline T fdim(T x, T y) {
  return x <= y ? T(0) : x - y;
}
template <class T>
inline T maxmag(T x, T y) {
  const T a = abs_of(x), b = abs_of(y);
  return a > b ? x : b > a ? y : __builtin_elementwise_maxnum(x, y);
}
template <class T>
inline T minmag(T x, T y) {
  const T a = abs_of(x), b = abs_of(y);
  return a < b ? x : b < a ? y : __builtin_elementwise_minnum(x, y);
}
/// Also for half, whose neighbours are its own.
template <class T>
inline T nextafter(T x, T y) {
  return x != x || y != y ? x + y : x == y ? y : next_towards(x, y > x);
}

/// pow of a base that is not negative.
template <class T>
inline T powr(T x, T y) {
  const bool undefined = x < T(0) || is_nan(x) || is_nan(y) || (x == T(0) && y == T(0)) ||
                         (is_infinite(x) && y == T(0)) || (x == T(1) && is_infinite(y));
  return undefined ? std::numeric_limits<T>::quiet_NaN() : __builtin_elementwise_pow(abs_of(x), y);
}
inline double pown(double x, int y) {
  return __builtin_elementwise_pow(x, static_cast<double>(y));
}
inline float pown(float x, int y) {
  // A float holds 24 bits of y; the rest is a factor of its own.
  const int low = y % (1 << 12);
  const float head = __builtin_elementwise_pow(x, static_cast<float>(y - low));
  return y > -(1 << 24) && y < (1 << 24) ? __builtin_elementwise_pow(x, static_cast<float>(y))
                                         : head * __builtin_elementwise_pow(x, static_cast<float>(low));
}
template <class T>
inline T rootn(T x, int n) {
  if (n == 0 || is_nan(x) || (x < T(0) && n % 2 == 0))
    return std::numeric_limits<T>::quiet_NaN();
  const T magnitude = abs_of(x);
  const T degree = static_cast<T>(n);
  const T exponent = T(1) / degree;
  T root = __builtin_elementwise_pow(magnitude, exponent);
  if (root != T(0) && !is_infinite(root)) // what was lost in rounding 1/n matters for large and small x
    root += root * (__builtin_elementwise_fma(-exponent, degree, T(1)) / degree *
                    __builtin_elementwise_log(magnitude));
  return n % 2 == 0 ? root : with_sign_of(root, x);
}

/// x as m * 2^exponent with |m| in [0.5, 1), by its bits. Zero, infinity and NaN are their own m, exponent 0.
template <class T>
struct split {
  T mantissa;
  int exponent;

  explicit split(T x) : mantissa(x), exponent(0) {
    using bits = unsigned_of_size<sizeof(T)>;
    constexpr int bias = std::numeric_limits<T>::max_exponent - 2;
    constexpr bits exponent_mask = static_cast<bits>((bits(1) << (8 * sizeof(T) - 1 - fraction_bits<T>)) - 1);
    if (x == T(0) || is_nan(x) || is_infinite(x))
      return;
    const bool subnormal = abs_of(x) < std::numeric_limits<T>::min();
    constexpr T scale = static_cast<T>(std::uint64_t(1) << (fraction_bits<T> + 1));
    const bits representation = sycl::bit_cast<bits>(subnormal ? x * scale : x);
    const int biased = static_cast<int>((representation >> fraction_bits<T>)&exponent_mask);
    exponent = biased - bias - (subnormal ? fraction_bits<T> + 1 : 0);
    mantissa = sycl::bit_cast<T>(static_cast<bits>((representation & ~(exponent_mask << fraction_bits<T>)) |
                                                   (bits(bias) << fraction_bits<T>)));
  }
};
template <class T>
inline int ilogb(T x) {
  return x == T(0) || is_nan(x) ? std::numeric_limits<int>::min()
         : is_infinite(x)       ? std::numeric_limits<int>::max()
                                : split<T>(x).exponent - 1;
}
template <class T>
inline T logb(T x) {
  return x == T(0)                     ? -std::numeric_limits<T>::infinity()
         : is_nan(x) || is_infinite(x) ? x * x
                                       : static_cast<T>(split<T>(x).exponent - 1);
}

template <class T>
inline T fract(T x) {
  if (is_infinite(x))
    return with_sign_of(T(0), x);
  const T part = x - __builtin_elementwise_floor(x);
  constexpr T below_one = T(1) - std::numeric_limits<T>::epsilon() / T(2);
  return part > below_one ? below_one : part;
}
template <class T>
inline T fraction_of_modf(T x) {
  return with_sign_of(is_infinite(x) ? T(0) : x - __builtin_elementwise_trunc(x), x);
}
/// The sign that lgamma_r reports: gamma is negative in every other gap between the whole numbers below zero.
template <class T>
inline int gamma_sign(T x) {
  if (x == T(0))
    return __builtin_signbit(x) ? -1 : 1;
  const T below = __builtin_elementwise_floor(x);
  const T pairs = below * T(0.5);
  return x < T(0) && below != x && __builtin_elementwise_floor(pairs) != pairs ? -1 : 1;
}

inline float remainder(float x, float y) {
  return __builtin_remainderf(x, y);
}
inline double remainder(double x, double y) {
  return __builtin_remainder(x, y);
}
/// The low seven bits of x / y rounded to nearest, with the sign of the quotient, as of remquo.
template <class T>
inline int quotient(T x, T y) {
  const T rest = remainder(x, y);
  if (is_nan(rest) || is_infinite(y))
    return 0;
  const T reduced = __builtin_elementwise_fmod(x, y * T(128)); // exact, and by an even multiple of y
  const int count = static_cast<int>(__builtin_elementwise_rint((reduced - rest) / y));
  return count < 0 ? -(-count & 127) : count & 127;
}

/// Where the device has none: a half product is exact in float; rounding the sum to odd keeps what decides
/// the final rounding to half.
inline half fma(half a, half b, half c) {
#pragma clang fp contract(off) reassociate(off)
  if (__falx_has_half_fma())
    return sycl::bit_cast<half>(__builtin_elementwise_fma(
        sycl::bit_cast<_Float16>(a), sycl::bit_cast<_Float16>(b), sycl::bit_cast<_Float16>(c)));
  const float product = static_cast<float>(a) * static_cast<float>(b);
  const float addend = static_cast<float>(c);
  float sum = product + addend;
  const float other = sum - product;
  const float lost = (product - (sum - other)) + (addend - other);
  if (lost != 0.0f && !is_nan(lost) && (sycl::bit_cast<std::uint32_t>(sum) & 1) == 0)
    sum = next_towards(sum, lost > 0.0f);
  return half(sum);
}

} // namespace sycl::detail::scalar
