// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/math_lift.hpp"
#include "sycl/ext/intel/math/conversions.hpp"
#include "sycl/ext/intel/math/rounded_arithmetic.hpp"
#include "sycl/math_floating_point.hpp"
#include "sycl/vec_aliases.hpp"

#include <type_traits>

/// \file
/// The basic functions of sycl::ext::intel::math, which have no document. Not part of sycl.hpp, as with
/// DPC++.

namespace sycl::ext::intel::math {

/// float, double, half, or, but for copysign, half2.
template <class T>
inline constexpr bool is_real =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, half>;
template <class T>
using if_real = std::enable_if_t<is_real<T> || std::is_same_v<T, half2>, int>;

#define FALX_INTEL_MATH(name)                                                                                \
  template <class T, if_real<T> = 0>                                                                         \
  inline T name(T x) {                                                                                       \
    return sycl::name(x);                                                                                    \
  }
FALX_INTEL_MATH(ceil)
FALX_INTEL_MATH(floor)
FALX_INTEL_MATH(rint)
FALX_INTEL_MATH(rsqrt)
FALX_INTEL_MATH(sqrt)
FALX_INTEL_MATH(trunc)
#undef FALX_INTEL_MATH

template <class T, std::enable_if_t<is_real<T>, int> = 0>
inline T copysign(T x, T y) {
  return sycl::copysign(x, y);
}
/// 1 / x.
template <class T, if_real<T> = 0>
inline T inv(T x) {
  return T(1) / x;
}
/// Between 0 and 1; 0 for NaN.
template <class T, std::enable_if_t<std::is_same_v<T, float>, int> = 0>
inline T saturate(T x) {
  return sycl::fmin(sycl::fmax(x, 0.0f), 1.0f);
}

// Arithmetic of half and half2.
#define FALX_HALF_FUNCTION(name, ...)                                                                        \
  inline half name(half x, half y) {                                                                         \
    return __VA_ARGS__;                                                                                      \
  }                                                                                                          \
  inline half2 name##2(half2 x, half2 y) {                                                                   \
    return __VA_ARGS__;                                                                                      \
  }
FALX_HALF_FUNCTION(hadd, x + y)
FALX_HALF_FUNCTION(hsub, x - y)
FALX_HALF_FUNCTION(hmul, x* y)
FALX_HALF_FUNCTION(hdiv, x / y)
FALX_HALF_FUNCTION(hmax, sycl::fmax(x, y))
FALX_HALF_FUNCTION(hmin, sycl::fmin(x, y))
#undef FALX_HALF_FUNCTION
inline half hfma(half x, half y, half z) {
  return sycl::fma(x, y, z);
}
inline half2 hfma2(half2 x, half2 y, half2 z) {
  return sycl::fma(x, y, z);
}
inline half hneg(half x) {
  return -x;
}
inline half2 hneg2(half2 x) {
  return -x;
}

} // namespace sycl::ext::intel::math
