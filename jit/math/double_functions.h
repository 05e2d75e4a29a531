// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Functions of doubles for cpu_math_library.c: SLEEF's, which the calls here become, mended where they are
/// wrong. Its log1p, asinh and acosh of large numbers are infinite, and its cosh and sinh from 709.8 on.

#include "cpu_math_library.h"

double cosh(double x) __attribute__((const));
double log1p(double x) __attribute__((const));
double sinh(double x) __attribute__((const));

#define LN2_F64 0x1.62e42fefa39efp-1
#define IS_LARGE_F64 0x1p30

/// From here on e^x / 2 may be a number where e^x is none, and is all of cosh and sinh.
#define IS_HALF_POWER_F64 709.0

static inline double half_power_f64(double x) {
  const double root = __builtin_exp(0.5 * x);
  return 0.5 * root * root;
}
static inline double cosh_f64(double x) {
  const double size = __builtin_fabs(x);
  double result = cosh(size > IS_HALF_POWER_F64 ? IS_HALF_POWER_F64 : size);
  if (__builtin_expect(size > IS_HALF_POWER_F64, 0))
    result = half_power_f64(size);
  return result;
}
static inline double sinh_f64(double x) {
  const double size = __builtin_fabs(x);
  double result = sinh(size > IS_HALF_POWER_F64 ? IS_HALF_POWER_F64 : size);
  if (__builtin_expect(size > IS_HALF_POWER_F64, 0))
    result = half_power_f64(size);
  return __builtin_copysign(result, x);
}

static inline double log1p_f64(double x) {
  double result = log1p(x > IS_LARGE_F64 * IS_LARGE_F64 ? IS_LARGE_F64 : x);
  if (__builtin_expect(x > IS_LARGE_F64 * IS_LARGE_F64, 0))
    result = __builtin_log(x);
  return result;
}
static inline double asinh_f64(double x) {
  const double size = __builtin_fabs(x);
  const double limited = size > IS_LARGE_F64 ? IS_LARGE_F64 : size;
  const double square = limited * limited;
  double result = log1p(limited + square / (1.0 + __builtin_sqrt(square + 1.0)));
  if (__builtin_expect(size > IS_LARGE_F64, 0))
    result = __builtin_log(size) + LN2_F64;
  return __builtin_copysign(result, x);
}
static inline double acosh_f64(double x) {
  const double more = (x > IS_LARGE_F64 ? IS_LARGE_F64 : x) - 1.0;
  double result = log1p(more + __builtin_sqrt(__builtin_fma(more, more, 2.0 * more)));
  if (__builtin_expect(x > IS_LARGE_F64, 0))
    result = __builtin_log(x) + LN2_F64;
  return x < 1.0 ? __builtin_nan("") : result;
}
