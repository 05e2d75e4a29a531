// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Operations that LLVM may turn into calls of the C library, the math library or libgcc:
/// CALL(name, tolerance, expression of the double x).

struct library_call_arguments {
  const double* in;
  double* out;
};

// clang-format off
#define UNARY(CALL, name)                                                                                    \
  CALL(name##_float, 1e-5, __builtin_##name##f(float(x)))                                                    \
  CALL(name##_double, 1e-13, __builtin_##name(x))                                                            \
  CALL(name##_long, 1e-13, double(__builtin_##name##l(static_cast<long double>(x))))
#define BINARY(CALL, name)                                                                                   \
  CALL(name##_float, 1e-5, __builtin_##name##f(float(x), 1.5f))                                              \
  CALL(name##_double, 1e-13, __builtin_##name(x, 1.5))                                                       \
  CALL(name##_long, 1e-13, double(__builtin_##name##l(static_cast<long double>(x), 1.5L)))
// The intrinsics, scalar and in vectors.
#define ELEMENTWISE(CALL, name)                                                                              \
  CALL(name##_e16, 4e-3, __builtin_elementwise_##name(static_cast<_Float16>(x)))                             \
  CALL(name##_e32, 1e-5, __builtin_elementwise_##name(float(x)))                                             \
  CALL(name##_e64, 1e-13, __builtin_elementwise_##name(x))                                                   \
  CALL(name##_v16, 4e-3, __builtin_elementwise_##name(half4(static_cast<_Float16>(x)))[2])                   \
  CALL(name##_v32, 1e-5, __builtin_elementwise_##name(float4(float(x)))[3])                                  \
  CALL(name##_v64, 1e-13, __builtin_elementwise_##name(double2(x))[1])
#define ELEMENTWISE_BINARY(CALL, name)                                                                       \
  CALL(name##_e16, 4e-3, __builtin_elementwise_##name(static_cast<_Float16>(x), static_cast<_Float16>(1.5f)))\
  CALL(name##_e32, 1e-5, __builtin_elementwise_##name(float(x), 1.5f))                                       \
  CALL(name##_e64, 1e-13, __builtin_elementwise_##name(x, 1.5))                                              \
  CALL(name##_v32, 1e-5, __builtin_elementwise_##name(float4(float(x)), float4(1.5f))[3])

#define LIBRARY_CALLS(CALL)                                                                                  \
  UNARY(CALL, sin) UNARY(CALL, cos) UNARY(CALL, tan) UNARY(CALL, asin) UNARY(CALL, acos) UNARY(CALL, atan)   \
  UNARY(CALL, sinh) UNARY(CALL, cosh) UNARY(CALL, tanh) UNARY(CALL, asinh) UNARY(CALL, acosh)                \
  UNARY(CALL, atanh) UNARY(CALL, exp) UNARY(CALL, exp2) UNARY(CALL, exp10) UNARY(CALL, expm1)                \
  UNARY(CALL, log) UNARY(CALL, log2) UNARY(CALL, log10) UNARY(CALL, log1p) UNARY(CALL, logb)                 \
  UNARY(CALL, sqrt) UNARY(CALL, cbrt) UNARY(CALL, erf) UNARY(CALL, erfc) UNARY(CALL, lgamma)                 \
  UNARY(CALL, tgamma) UNARY(CALL, floor) UNARY(CALL, ceil) UNARY(CALL, trunc) UNARY(CALL, rint)              \
  UNARY(CALL, round) UNARY(CALL, roundeven) UNARY(CALL, nearbyint) UNARY(CALL, ilogb) UNARY(CALL, lrint)     \
  UNARY(CALL, llround) UNARY(CALL, fabs)                                                                     \
  BINARY(CALL, pow) BINARY(CALL, atan2) BINARY(CALL, fmod) BINARY(CALL, remainder) BINARY(CALL, hypot)       \
  BINARY(CALL, copysign) BINARY(CALL, fmin) BINARY(CALL, fmax) BINARY(CALL, fdim) BINARY(CALL, nextafter)    \
  BINARY(CALL, ldexp) BINARY(CALL, scalbn)                                                                   \
  CALL(fma_float, 1e-5, __builtin_fmaf(float(x), 3.0f, 1.0f)) CALL(fma_double, 0, __builtin_fma(x, 3.0, 1.0))\
  CALL(fma_long, 1e-13, double(__builtin_fmal(static_cast<long double>(x), 3.0L, 1.0L)))                     \
  CALL(powi_float, 1e-5, __builtin_powif(float(x), int(x))) CALL(powi_double, 1e-13, __builtin_powi(x, int(x)))\
  CALL(frexp_float, 1e-5, (__builtin_frexpf(float(x), &number) + float(number)))                             \
  CALL(frexp_double, 0, (__builtin_frexp(x, &number) + number))                                              \
  CALL(modf_double, 1e-13, (__builtin_modf(x, &result) + result))                                            \
  CALL(remquo_double, 1e-13, (__builtin_remquo(x, 0.7, &number) + number))                                   \
  CALL(sincos_double, 1e-13, (__builtin_sin(x) * __builtin_cos(x)))                                          \
  CALL(sincos_float, 1e-5, (__builtin_sinf(float(x)) * __builtin_cosf(float(x))))                            \
  ELEMENTWISE(CALL, sin) ELEMENTWISE(CALL, cos) ELEMENTWISE(CALL, tan) ELEMENTWISE(CALL, asin)               \
  ELEMENTWISE(CALL, acos) ELEMENTWISE(CALL, atan) ELEMENTWISE(CALL, sinh) ELEMENTWISE(CALL, cosh)            \
  ELEMENTWISE(CALL, tanh) ELEMENTWISE(CALL, exp) ELEMENTWISE(CALL, exp2) ELEMENTWISE(CALL, exp10)            \
  ELEMENTWISE(CALL, log) ELEMENTWISE(CALL, log2) ELEMENTWISE(CALL, log10) ELEMENTWISE(CALL, sqrt)            \
  ELEMENTWISE(CALL, floor) ELEMENTWISE(CALL, ceil) ELEMENTWISE(CALL, trunc) ELEMENTWISE(CALL, rint)          \
  ELEMENTWISE(CALL, round) ELEMENTWISE(CALL, roundeven) ELEMENTWISE(CALL, nearbyint)                         \
  ELEMENTWISE_BINARY(CALL, pow) ELEMENTWISE_BINARY(CALL, atan2) ELEMENTWISE_BINARY(CALL, fmod)               \
  ELEMENTWISE_BINARY(CALL, minimum) ELEMENTWISE_BINARY(CALL, maximum)                                        \
  CALL(divide_i128, 0, double(wide(x) / -37)) CALL(remainder_i128, 0, double(wide(x) % -37))                 \
  CALL(divide_u128, 0, double(uwide(x) / uwide(x * 1e9))) CALL(remainder_u128, 0, double(uwide(x) % 37u))    \
  CALL(multiply_i128, 0, double(wide(x) * wide(x) >> 64))                                                    \
  CALL(overflow_i64, 0, __builtin_mul_overflow(long(x * 1e17), long(number + 12), &long_result))             \
  CALL(overflow_i128, 0, __builtin_mul_overflow(wide(x), wide(x), &wide_result))                             \
  CALL(i128_to_float, 1e-6, float(wide(x))) CALL(u128_to_half, 1e-2, static_cast<_Float16>(uwide(x) >> 90))  \
  CALL(float_to_i128, 0, double(static_cast<__int128>(float(x) * 1e30f)))                                    \
  CALL(half_to_i128, 0, double(static_cast<__int128>(static_cast<_Float16>(x))))                             \
  CALL(long_to_i128, 0, double(static_cast<__int128>(static_cast<long double>(x) * 1e30L)))                  \
  CALL(half_from_long, 1e-2, static_cast<_Float16>(static_cast<long double>(x)))                             \
  CALL(half_from_double, 1e-2, static_cast<_Float16>(x))                                                     \
  CALL(popcount, 0, __builtin_popcountll(static_cast<unsigned long long>(x * 1e9)))                          \
  CALL(complex_product, 1e-13, __real__(complex(x, 2) * complex(3, x)))                                      \
  CALL(complex_quotient, 1e-13, __imag__(complex(x, 2) / complex(3, x)))                                     \
  CALL(copied_memory, 0, copied(x)) CALL(moved_memory, 0, moved(x)) CALL(set_memory, 0, set(x))              \
  CALL(compared_memory, 0, compared(x)) CALL(string_length, 0, text_length(x))                               \
  CALL(asserted, 0, asserted(x)) CALL(printed, 0, printed(x)) CALL(aborted, 0, aborted(x))                   \
  CALL(divided, 0, divided(x))
// clang-format on
