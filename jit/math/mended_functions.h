// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// SLEEF's functions, which the calls here become, mended where they are wrong: log1p, asinh and acosh of
/// large numbers are infinite, and so are cosh and sinh near the ends; tgamma of floats is off by hundreds of
/// units where it is denormal. All but tgamma for processors without fused multiply-add, which others do not
/// need.

#include "cpu_math_library.h"

#define MENDED_FUNCTIONS(T, suffix, half_power_from, large)                                                  \
  T cosh##suffix(T x) __attribute__((const));                                                                \
  T log1p##suffix(T x) __attribute__((const));                                                               \
  T sinh##suffix(T x) __attribute__((const));                                                                \
  /* From half_power_from on e^x / 2 may be a number where e^x is none, and is all of cosh and sinh. */      \
  INLINE T half_power##suffix(T x) {                                                                         \
    const T root = __builtin_exp##suffix(x / 2);                                                             \
    return root / 2 * root;                                                                                  \
  }                                                                                                          \
  T __falx_mended_cosh##suffix(T x) {                                                                        \
    const T size = __builtin_fabs##suffix(x);                                                                \
    T result = cosh##suffix(size > half_power_from ? half_power_from : size);                                \
    if (__builtin_expect(size > half_power_from, 0))                                                         \
      result = half_power##suffix(size);                                                                     \
    return result;                                                                                           \
  }                                                                                                          \
  T __falx_mended_sinh##suffix(T x) {                                                                        \
    const T size = __builtin_fabs##suffix(x);                                                                \
    T result = sinh##suffix(size > half_power_from ? half_power_from : size);                                \
    if (__builtin_expect(size > half_power_from, 0))                                                         \
      result = half_power##suffix(size);                                                                     \
    return __builtin_copysign##suffix(result, x);                                                            \
  }                                                                                                          \
  T __falx_mended_log1p##suffix(T x) {                                                                       \
    T result = log1p##suffix(x > large * large ? large : x);                                                 \
    if (__builtin_expect(x > large * large, 0))                                                              \
      result = __builtin_log##suffix(x);                                                                     \
    return result;                                                                                           \
  }                                                                                                          \
  T __falx_mended_asinh##suffix(T x) {                                                                       \
    const T size = __builtin_fabs##suffix(x), limited = size > large ? large : size;                         \
    const T square = limited * limited;                                                                      \
    T result = log1p##suffix(limited + square / (1 + __builtin_sqrt##suffix(square + 1)));                   \
    if (__builtin_expect(size > large, 0))                                                                   \
      result = __builtin_log##suffix(size) + (T)0x1.62e42fefa39efp-1;                                        \
    return __builtin_copysign##suffix(result, x);                                                            \
  }                                                                                                          \
  T __falx_mended_acosh##suffix(T x) {                                                                       \
    const T more = (x > large ? large : x) - 1;                                                              \
    T result = log1p##suffix(more + __builtin_sqrt##suffix(more * (more + 2)));                              \
    if (__builtin_expect(x > large, 0))                                                                      \
      result = __builtin_log##suffix(x) + (T)0x1.62e42fefa39efp-1;                                           \
    return x < 1 ? (T)__builtin_nan("") : result;                                                            \
  }
MENDED_FUNCTIONS(double, , 709.0, 0x1p30)
MENDED_FUNCTIONS(float, f, 88.0f, 0x1p12f)

double tgamma(double x) __attribute__((const));
float tgammaf(float x) __attribute__((const));

float __falx_mended_tgammaf(float x) {
  float result = tgammaf(x);
  if (__builtin_expect(x < -30.0f, 0))
    result = (float)tgamma((double)x);
  return result;
}
