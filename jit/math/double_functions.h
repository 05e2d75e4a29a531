// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Functions of doubles for cpu_math_library.c, in the manner of float_functions.h. Angles from 2^30 on are
/// left to the functions of <math.h>, SLEEF's in vectors.

#include "cpu_math_library.h"

INLINE u64 bits_of_f64(double x) {
  u64 bits;
  __builtin_memcpy(&bits, &x, sizeof(bits));
  return bits;
}
INLINE double f64_of_bits(u64 bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof(x));
  return x;
}
INLINE double fma_f64(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

/// The sum of c[i] * x^i.
INLINE double polynomial_f64(double x, const double* c, int count) {
  double result = c[count - 1];
#pragma clang loop unroll(full)
  for (int i = count - 2; i >= 0; --i)
    result = fma_f64(result, x, c[i]);
  return result;
}
#define POLYNOMIAL_F64(x, ...)                                                                               \
  polynomial_f64(x, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

/// The nearest whole number; its last bits are those of bits.
typedef struct {
  double number;
  u64 bits;
} whole_f64;

/// In a sum with it whole numbers are the last bits.
#define SHIFTER_F64 0x1.8p52
INLINE whole_f64 nearest_product_f64(double x, double factor) {
  const double shifted = fma_f64(x, factor, SHIFTER_F64);
  return (whole_f64){shifted - SHIFTER_F64, bits_of_f64(shifted)};
}

/// For whole numbers from -1022 to 1023.
INLINE double power_of_two_f64(double exponent) {
  return f64_of_bits((bits_of_f64(exponent + SHIFTER_F64) << 52) + bits_of_f64(1.0));
}
/// x * 2^exponent, rounded once, for x in [0.5, 2] and exponents from -2044 to 2046, of which the last bits
/// count.
__attribute__((noinline)) double __falx_cpu_scaled(double x, u64 exponent) {
  const u64 biased = exponent + 2 * 1023, half = biased >> 1;
  return x * f64_of_bits(half << 52) * f64_of_bits((biased - half) << 52);
}

/// Leaves NaN as it is.
INLINE double limited_f64(double x, double low, double high) {
  x = x > high ? high : x;
  return x < low ? low : x;
}

#define LN2_HIGH_F64 0x1.62e42fefa39efp-1
#define LN2_LOW_F64 0x1.abc9e3b39803fp-56
#define LOG2_E_HIGH_F64 0x1.71547652b82fep+0
#define LOG2_E_LOW_F64 0x1.777d0ffda0d24p-56
#define LOG10_2_HIGH_F64 0x1.34413509f79ffp-2
#define LOG10_2_LOW_F64 -0x1.9dc1da994fd21p-59
#define LOG10_E_HIGH_F64 0x1.bcb7b1526e50ep-2
#define LOG10_E_LOW_F64 0x1.95355baaafad3p-57

/// x as a multiple of log(2), and e^rest - 1.
typedef struct {
  whole_f64 multiple;
  double power_less_one;
} exponential_f64;
INLINE exponential_f64 exponential_parts_f64(double x) {
  const whole_f64 k = nearest_product_f64(x, LOG2_E_HIGH_F64);
  const double r = fma_f64(k.number, -LN2_LOW_F64, fma_f64(k.number, -LN2_HIGH_F64, x));
  const double rest = POLYNOMIAL_F64(r, 0x1.000000000000ap-1, 0x1.5555555555503p-3, 0x1.55555555506e0p-5,
                                     0x1.111111112628ap-7, 0x1.6c16c18475480p-10, 0x1.a01a0130df4cep-13,
                                     0x1.a019994cc11f8p-16, 0x1.71df192530fd1p-19, 0x1.28ae229fe4269p-22,
                                     0x1.ad90e57ad58dep-26);
  return (exponential_f64){k, fma_f64(rest * r, r, r)};
}
INLINE double exp_f64(double x) {
  const exponential_f64 parts = exponential_parts_f64(limited_f64(x, -746.0, 711.0));
  return __falx_cpu_scaled(parts.power_less_one + 1.0, parts.multiple.bits);
}
/// 2^r for |r| <= 0.5.
INLINE double exp2_near_zero_f64(double r) {
  return POLYNOMIAL_F64(r, 1.0, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c59dp-3, 0x1.c6b08d704a0d6p-5,
                        0x1.3b2ab6fba0fabp-7, 0x1.5d87fe78b368bp-10, 0x1.4309130c720b5p-13,
                        0x1.ffcbfbfa2ae08p-17, 0x1.62bfccc3dcedep-20, 0x1.b5260a7b7897cp-24,
                        0x1.e6138cbbb2540p-28, 0x1.e814948ac37fbp-32);
}
INLINE double exp2_f64(double x) {
  const double limited = limited_f64(x, -1076.0, 1025.0);
  const whole_f64 k = nearest_product_f64(limited, 1.0);
  return __falx_cpu_scaled(exp2_near_zero_f64(limited - k.number), k.bits);
}
INLINE double exp10_f64(double x) {
  const double limited = limited_f64(x, -324.0, 309.0);
  const whole_f64 k = nearest_product_f64(limited, 0x1.a934f0979a371p+1);
  const double r = fma_f64(k.number, -LOG10_2_LOW_F64, fma_f64(k.number, -LOG10_2_HIGH_F64, limited));
  const double power = POLYNOMIAL_F64(r, 1.0, 0x1.26bb1bbb55516p+1, 0x1.53524c73cea70p+1,
                                      0x1.0470591de2b72p+1, 0x1.2bd7609fd63b1p+0, 0x1.1429ffd212fb9p-1,
                                      0x1.a7ed709d3ecb0p-3, 0x1.16e4df1528f5ap-4, 0x1.41166545a3b31p-6,
                                      0x1.48996ce975ef0p-8, 0x1.2f6d39e8e42a0p-10, 0x1.f84f44fd3a6f8p-13);
  return __falx_cpu_scaled(power, k.bits);
}

/// Is x a denormal number, zero, negative, infinity or NaN?
INLINE _Bool is_no_normal_f64(double x) {
  return bits_of_f64(x) - ((u64)1 << 52) >= (u64)0x7fe << 52;
}
/// x as m * 2^exponent with m in [sqrt(1/2), sqrt(2)), for what is not zero, infinity or NaN; the sign counts
/// as m's.
typedef struct {
  double less_one; // m - 1
  double exponent;
} parts_f64;
INLINE parts_f64 take_apart_f64(double x) {
  const u64 least = 0x3fe6a09e667f3bcd, mantissa = ((u64)1 << 52) - 1; // sqrt(1/2)
  u64 bits = bits_of_f64(x) - least + bits_of_f64(1.0);
  double scale = 0.0;
  if (__builtin_expect(is_no_normal_f64(x), 0)) {
    scale = __builtin_fabs(x) < 0x1p-1022 ? 54.0 : 0.0;
    bits = bits_of_f64(__builtin_fabs(x) * (scale != 0.0 ? 0x1p54 : 1.0)) - least + bits_of_f64(1.0);
  }
  // The exponent as the last bits of 2^52, as few processors convert integers of 64 bits.
  const double exponent = f64_of_bits(bits >> 52 | bits_of_f64(0x1p52)) - (0x1p52 + 1023.0);
  return (parts_f64){f64_of_bits((bits & mantissa) + least) - 1.0, exponent - scale};
}
/// log(1 + f) - f for 1 + f in [sqrt(1/2), sqrt(2)): with s = f / (2 + f), log(1 + f) is
/// 2 atanh(s) = 2 s + s R = f - f^2 / 2 + s (f^2 / 2 + R).
INLINE double log_less_f_f64(double f) {
  const double s = f / (2.0 + f), t = s * s, half_square = 0.5 * f * f;
  const double rest = t * POLYNOMIAL_F64(t, 0x1.5555555555593p-1, 0x1.999999997f9cfp-2, 0x1.249249422e498p-2,
                                         0x1.c71c51d36b590p-3, 0x1.74664ac574eaep-3, 0x1.39a0750470eeep-3,
                                         0x1.2f12f6d445265p-3);
  return fma_f64(s, half_square + rest, -half_square);
}
/// The logarithm of x, which is \p result if x is positive and finite.
INLINE double log_result_f64(double x, double result) {
  if (__builtin_expect(is_no_normal_f64(x), 0)) {
    const double large = x < __builtin_inf() ? result : x; // infinity or NaN
    result = x > 0.0 ? large : x == 0.0 ? -__builtin_inf() : __builtin_nan("");
  }
  return result;
}
INLINE double log_f64(double x) {
  const parts_f64 parts = take_apart_f64(x);
  const double f = parts.less_one;
  const double low = fma_f64(parts.exponent, LN2_LOW_F64, log_less_f_f64(f));
  return log_result_f64(x, fma_f64(parts.exponent, LN2_HIGH_F64, f + low));
}
INLINE double log2_f64(double x) {
  const parts_f64 parts = take_apart_f64(x);
  const double f = parts.less_one;
  const double low = fma_f64(log_less_f_f64(f), LOG2_E_HIGH_F64, f * LOG2_E_LOW_F64);
  return log_result_f64(x, parts.exponent + fma_f64(f, LOG2_E_HIGH_F64, low));
}
INLINE double log10_f64(double x) {
  const parts_f64 parts = take_apart_f64(x);
  const double f = parts.less_one;
  const double low = fma_f64(log_less_f_f64(f), LOG10_E_HIGH_F64, f * LOG10_E_LOW_F64);
  const double small = fma_f64(parts.exponent, LOG10_2_LOW_F64, low);
  return log_result_f64(x, fma_f64(parts.exponent, LOG10_2_HIGH_F64, fma_f64(f, LOG10_E_HIGH_F64, small)));
}
INLINE double log1p_f64(double x) {
  // The logarithm of the rounded sum, and what was lost in rounding it, over it.
  const double sum = 1.0 + x;
  const parts_f64 parts = take_apart_f64(sum);
  const double f = parts.less_one, k = parts.exponent;
  const double lost =
      (x >= 1.0 ? 1.0 - (sum - x) : x - (sum - 1.0)) * power_of_two_f64(-(k > 64.0 ? 64.0 : k));
  const double quotient = lost * fma_f64(f, f - 1.0, 1.0); // 1 / (1 + f), nearly
  const double low = fma_f64(k, LN2_LOW_F64, log_less_f_f64(f) + quotient);
  const double result = fma_f64(k, LN2_HIGH_F64, f + low);
  return x == 0.0 ? x : log_result_f64(sum, result);
}

/// e^x as 2^shift * scale * (1 + rest).
typedef struct {
  double rest, scale;
} power_f64;
INLINE power_f64 power_parts_f64(double x, double shift) {
  const exponential_f64 parts = exponential_parts_f64(x);
  return (power_f64){parts.power_less_one, power_of_two_f64(parts.multiple.number - shift)};
}

#define REAL double
#define NAME(name) name##_f64
#define OF_COMPILER(name) __builtin_##name
#define LEAST_POWER -40.0
#define LARGEST_POWER 710.5
#define IS_LARGE 0x1p30
#include "hyperbolic_functions.h"

double cos(double x) __attribute__((const));
double sin(double x) __attribute__((const));
double tan(double x) __attribute__((const));

#define IS_LARGE_ANGLE_F64 0x1p30
/// x - k * pi.
INLINE double without_half_turns_f64(double x, double k) {
  return fma_f64(k, 0x1.f1976b7ed8fbcp-109,
                 fma_f64(k, -0x1.1a62633145c07p-53, fma_f64(k, -0x1.921fb54442d18p+1, x)));
}
/// sin(r) for |r| <= pi / 2, or -sin(r) if the last bit of \p count is set.
INLINE double sin_near_zero_f64(double r, u64 count) {
  const double s = r * r;
  const double rest = POLYNOMIAL_F64(s, -0x1.5555555555555p-3, 0x1.11111111110c8p-7, -0x1.a01a01a014d73p-13,
                                     0x1.71de3a52a0e86p-19, -0x1.ae6454d497d7fp-26, 0x1.6123cd1214427p-33,
                                     -0x1.ae4387921ed73p-41, 0x1.8832fff4c0fefp-49);
  return f64_of_bits(bits_of_f64(fma_f64(rest * s, r, r)) ^ count << 63);
}
INLINE double sin_f64(double x) {
  const whole_f64 k = nearest_product_f64(x, 0x1.45f306dc9c883p-2);
  double result = sin_near_zero_f64(without_half_turns_f64(x, k.number), k.bits);
  if (__builtin_expect(!(__builtin_fabs(x) < IS_LARGE_ANGLE_F64), 0))
    result = sin(x);
  return x == 0.0 ? x : result; // -0 has become 0
}
INLINE double cos_f64(double x) {
  // As the sine of x + pi / 2: k is half of an odd number.
  const double shifted = fma_f64(__builtin_fabs(x), 0x1.45f306dc9c883p-2, 0.5) + SHIFTER_F64;
  const double k = (shifted - SHIFTER_F64) - 0.5;
  double result = sin_near_zero_f64(without_half_turns_f64(__builtin_fabs(x), k), bits_of_f64(shifted));
  if (__builtin_expect(!(__builtin_fabs(x) < IS_LARGE_ANGLE_F64), 0))
    result = cos(x);
  return result;
}
INLINE double tan_f64(double x) {
  // The ninth convergent of x / (1 - x^2 / (3 - x^2 / (5 - ...))).
  const whole_f64 k = nearest_product_f64(x, 0x1.45f306dc9c883p-1);
  const double r = without_half_turns_f64(x, 0.5 * k.number), s = r * r;
  const double p = r * POLYNOMIAL_F64(s, 34459425.0, -4729725.0, 135135.0, -990.0, 1.0);
  const double q = POLYNOMIAL_F64(s, 34459425.0, -16216200.0, 945945.0, -13860.0, 45.0);
  const _Bool is_odd = (k.bits & 1) != 0;
  double result = (is_odd ? -q : p) / (is_odd ? p : q);
  if (__builtin_expect(!(__builtin_fabs(x) < IS_LARGE_ANGLE_F64), 0))
    result = tan(x);
  return x == 0.0 ? x : result;
}

/// pow where it is no product of logarithm and power, of all floats or doubles: \p result elsewhere.
INLINE double pow_at_ends(double x, double y, double result) {
  // Of 0, infinity and 1 to an infinite power the result is 0 or infinity or 1.
  const double size = __builtin_fabs(x);
  const _Bool is_infinite = __builtin_fabs(y) == __builtin_inf();
  const _Bool grows = size > 1.0 == y > 0.0;
  const double end = size == 1.0 || y == 0.0 ? 1.0 : grows ? __builtin_inf() : 0.0;
  result = size == 0.0 || size == __builtin_inf() || is_infinite ? end : result;
  const _Bool is_whole = __builtin_rint(y) == y;
  const _Bool is_odd = is_whole && __builtin_rint(0.5 * y) != 0.5 * y;
  result = is_odd ? __builtin_copysign(result, x) : result;
  result = x < 0.0 && size < __builtin_inf() && !is_whole ? __builtin_nan("") : result;
  result = x != x || y != y ? x + y : result;
  return y == 0.0 || x == 1.0 ? 1.0 : result;
}
INLINE double pow_f64(double x, double y) {
  // log2(x) as a sum of two doubles: of x = 2^k * m, of m * c near 1 with c of few bits, and of 1 / c.
  const parts_f64 parts = take_apart_f64(x);
  const _Bool is_low = parts.less_one < -0.125, is_high = parts.less_one > 0.1875;
  const double c = is_low ? 1.25 : is_high ? 0.75 : 1.0;
  const double exponent = parts.exponent + (is_low ? -0x1.49a784bcdp-2 : is_high ? 0x1.a8ff97181p-2 : 0.0);
  const double exponent_low = is_low ? -0x1.b8afe492bf6ffp-42 : is_high ? 0x1.4bc302ffa76fbp-43 : 0.0;
  const double f = fma_f64(parts.less_one, c, c - 1.0);
  // s = f / (2 + f) as a sum of two.
  const double d = 2.0 + f, d_low = f - (d - 2.0), reciprocal = 1.0 / d;
  const double s = f * reciprocal;
  const double s_low = fma_f64(-s, d_low, fma_f64(-s, d, f)) * reciprocal;
  const double t = s * s;
  const double tail = s * t *
                      POLYNOMIAL_F64(t, 0x1.ec709dc3a03fbp-1, 0x1.2776c50efb51cp-1, 0x1.a617629cfde07p-2,
                                     0x1.484b248fd374ep-2, 0x1.0c8d4ed7835e3p-2, 0x1.d0cdfd1509621p-3);
  const double p = s * 2.0 * LOG2_E_HIGH_F64;
  const double p_low = fma_f64(s, 2.0 * LOG2_E_HIGH_F64, -p) +
                       fma_f64(s_low, 2.0 * LOG2_E_HIGH_F64, fma_f64(s, 2.0 * LOG2_E_LOW_F64, exponent_low)) +
                       tail;
  const double sum = p + p_low, sum_low = (p - sum) + p_low;
  const double high = exponent + sum, low = (exponent - high) + sum + sum_low;

  const double product = y * high;
  const double limited = limited_f64(product, -1080.0, 1030.0);
  const whole_f64 whole = nearest_product_f64(limited, 1.0);
  // Where the product is so large that it is not exact, it does not matter.
  const double rest = fma_f64(y, low, fma_f64(y, high, -product));
  const double r = (limited - whole.number) + (limited != product ? 0.0 : rest);
  double result = __falx_cpu_scaled(exp2_near_zero_f64(r), whole.bits);
  if (__builtin_expect(is_no_normal_f64(x) || !(__builtin_fabs(y) < __builtin_inf()), 0))
    result = pow_at_ends(x, y, result);
  return result;
}
