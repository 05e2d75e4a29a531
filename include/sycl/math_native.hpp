// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/detail/math_lift.hpp"

/// \file
/// sycl::native (SYCL 2020 §4.17.5) and sycl::half_precision (§4.17.6, deprecated in SYCL 2020): float
/// functions that are as fast as the device has them, and may be less exact.

namespace sycl {

#define FALX_LOOSE_1(name)                                                                                   \
  inline float name(float x) {                                                                               \
    return __falx_native_##name##_f32(x);                                                                    \
  }                                                                                                          \
  template <class X, class S = detail::float_array<X>,                                                       \
            std::enable_if_t<std::is_same_v<typename S::element, float>, int> = 0>                           \
  inline typename S::value name(const X& x) {                                                                \
    return detail::lift<S, float>([](float a) { return name(a); }, x);                                       \
  }
#define FALX_LOOSE_2(name)                                                                                   \
  inline float name(float x, float y) {                                                                      \
    return __falx_native_##name##_f32(x, y);                                                                 \
  }                                                                                                          \
  template <class X, class Y, class S = detail::float_array<X, Y>,                                           \
            std::enable_if_t<std::is_same_v<typename S::element, float>, int> = 0>                           \
  inline typename S::value name(const X& x, const Y& y) {                                                    \
    return detail::lift<S, float>([](float a, float b) { return name(a, b); }, x, y);                        \
  }

namespace native {
#define FALX_BUILTIN(...)
#define FALX_NATIVE_BUILTIN_1 FALX_LOOSE_1
#define FALX_NATIVE_BUILTIN_2 FALX_LOOSE_2
#include "falx/device_builtins.def"
} // namespace native
namespace half_precision {
#define FALX_BUILTIN(...)
#define FALX_NATIVE_BUILTIN_1 FALX_LOOSE_1
#define FALX_NATIVE_BUILTIN_2 FALX_LOOSE_2
#include "falx/device_builtins.def"
} // namespace half_precision

#undef FALX_LOOSE_2
#undef FALX_LOOSE_1

} // namespace sycl
