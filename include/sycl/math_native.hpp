// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/math_floating_point.hpp"

/// \file
/// sycl::native (SYCL 2020 §4.17.5) and sycl::half_precision (§4.17.6, deprecated in SYCL 2020): float
/// functions that may be less exact. They are the exact ones here; a device's code generator is what makes
/// them faster.

namespace sycl {

#define FALX_LOOSE_1(name, result)                                                                           \
  inline float name(float x) {                                                                               \
    return result;                                                                                           \
  }                                                                                                          \
  template <class X, class S = detail::float_array<X>,                                                       \
            std::enable_if_t<std::is_same_v<typename S::element, float>, int> = 0>                           \
  inline typename S::value name(const X& x) {                                                                \
    return detail::lift<S, float>([](float a) { return name(a); }, x);                                       \
  }
#define FALX_LOOSE_2(name, result)                                                                           \
  inline float name(float x, float y) {                                                                      \
    return result;                                                                                           \
  }                                                                                                          \
  template <class X, class Y, class S = detail::float_array<X, Y>,                                           \
            std::enable_if_t<std::is_same_v<typename S::element, float>, int> = 0>                           \
  inline typename S::value name(const X& x, const Y& y) {                                                    \
    return detail::lift<S, float>([](float a, float b) { return name(a, b); }, x, y);                        \
  }
#define FALX_LOOSE_TABLE                                                                                     \
  FALX_LOOSE_1(cos, sycl::cos(x))                                                                            \
  FALX_LOOSE_2(divide, x / y)                                                                                \
  FALX_LOOSE_1(exp, sycl::exp(x))                                                                            \
  FALX_LOOSE_1(exp2, sycl::exp2(x))                                                                          \
  FALX_LOOSE_1(exp10, sycl::exp10(x))                                                                        \
  FALX_LOOSE_1(log, sycl::log(x))                                                                            \
  FALX_LOOSE_1(log2, sycl::log2(x))                                                                          \
  FALX_LOOSE_1(log10, sycl::log10(x))                                                                        \
  FALX_LOOSE_2(powr, sycl::powr(x, y))                                                                       \
  FALX_LOOSE_1(recip, 1.0f / x)                                                                              \
  FALX_LOOSE_1(rsqrt, sycl::rsqrt(x))                                                                        \
  FALX_LOOSE_1(sin, sycl::sin(x))                                                                            \
  FALX_LOOSE_1(sqrt, sycl::sqrt(x))                                                                          \
  FALX_LOOSE_1(tan, sycl::tan(x))

namespace native {
FALX_LOOSE_TABLE
} // namespace native
namespace half_precision {
FALX_LOOSE_TABLE
} // namespace half_precision

#undef FALX_LOOSE_TABLE
#undef FALX_LOOSE_2
#undef FALX_LOOSE_1

} // namespace sycl
