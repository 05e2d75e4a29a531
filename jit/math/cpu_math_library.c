// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Functions of <math.h> for CPUs, nearly all for those with fused multiply-add, for one work-item: they
/// become part of the kernel and are made vectors with it, so that constants stay in registers, what two of
/// them do overlaps, and all sub-group sizes have the same results. Nearly without branches: what is rare is
/// computed and not selected, or, where that is long (large angles), guarded. Compiled to bitcode for the
/// host when Falx is built. targets/cpu/math_functions.cpp finds them by name: __falx_cpu_ and that of
/// <math.h>; with _short, the form where functions may be approximated; with __falx_mended_, what needs no
/// fused multiply-add.

#include "double_functions.h"
#include "float_functions.h"
#include "mended_functions.h"

#define FUNCTION_F32(name)                                                                                   \
  float __falx_cpu_##name##f(float x) {                                                                      \
    return name##_f32(x);                                                                                    \
  }
#define TWO_FORMS_F32(name)                                                                                  \
  float __falx_cpu_##name##f(float x) {                                                                      \
    return name##_f32(x, /*is_short=*/0);                                                                    \
  }                                                                                                          \
  float __falx_cpu_##name##f_short(float x) {                                                                \
    return name##_f32(x, /*is_short=*/1);                                                                    \
  }

FUNCTION_F32(acosh)
FUNCTION_F32(asinh)
FUNCTION_F32(atanh)
TWO_FORMS_F32(cos)
FUNCTION_F32(cosh)
FUNCTION_F32(erf)
FUNCTION_F32(erfc)
TWO_FORMS_F32(exp)
TWO_FORMS_F32(exp10)
TWO_FORMS_F32(exp2)
FUNCTION_F32(expm1)
TWO_FORMS_F32(log)
TWO_FORMS_F32(log10)
FUNCTION_F32(log1p)
TWO_FORMS_F32(log2)
TWO_FORMS_F32(sin)
FUNCTION_F32(sinh)
TWO_FORMS_F32(tan)
FUNCTION_F32(tanh)

/// llvm.powi, by squares: exponents are mostly small, and often the same for all work-items.
#define INTEGER_POWER(suffix, T)                                                                             \
  T __falx_mended_powi##suffix(T x, int n) {                                                                 \
    T product = 1;                                                                                           \
    for (unsigned left = n < 0 ? -(unsigned)n : (unsigned)n; left != 0; left /= 2) {                         \
      product *= left % 2 != 0 ? x : 1;                                                                      \
      x *= x;                                                                                                \
    }                                                                                                        \
    return n < 0 ? 1 / product : product;                                                                    \
  }
INTEGER_POWER(f, float)
INTEGER_POWER(, double)

float __falx_cpu_powf(float x, float y) {
  return pow_f32(x, y, /*is_short=*/0);
}
float __falx_cpu_powf_short(float x, float y) {
  return pow_f32(x, y, /*is_short=*/1);
}

#define FUNCTION_F64(name)                                                                                   \
  double __falx_cpu_##name(double x) {                                                                       \
    return name##_f64(x);                                                                                    \
  }
FUNCTION_F64(acosh)
FUNCTION_F64(asinh)
FUNCTION_F64(atanh)
FUNCTION_F64(cos)
FUNCTION_F64(cosh)
FUNCTION_F64(exp)
FUNCTION_F64(exp10)
FUNCTION_F64(exp2)
FUNCTION_F64(expm1)
FUNCTION_F64(log)
FUNCTION_F64(log10)
FUNCTION_F64(log1p)
FUNCTION_F64(log2)
FUNCTION_F64(sin)
FUNCTION_F64(sinh)
FUNCTION_F64(tan)
FUNCTION_F64(tanh)

double __falx_cpu_pow(double x, double y) {
  return pow_f64(x, y);
}
