// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Functions of floats for cpu_math_library.c. Those with a parameter is_short have two forms: the usual one,
/// and one that may be less exact (-fapprox-func, sycl::native). Polynomials are those of
/// tools/polynomials.py; limits are those of SYCL 2020 §4.17.5, docs/accuracy.md has what was measured.

#include "cpu_math_library.h"
#include "double_functions.h"

INLINE u32 bits_of_f32(float x) {
  u32 bits;
  __builtin_memcpy(&bits, &x, sizeof(bits));
  return bits;
}
INLINE float f32_of_bits(u32 bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof(x));
  return x;
}
INLINE float fma_f32(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
INLINE float copy_sign_f32(float magnitude, float sign) {
  return __builtin_copysignf(magnitude, sign);
}

#define INFINITY_F32 __builtin_inff()
#define NAN_F32 __builtin_nanf("")

/// The nearest whole number, as the number and as an integer.
typedef struct {
  float number;
  i32 integer;
} whole_f32;

/// 1.5 * 2^23: in a sum with it whole numbers are the last bits. For products below 2^22; of NaN the integer
/// is anything.
#define SHIFTER_F32 12582912.0f
INLINE whole_f32 nearest_product_f32(float x, float factor) {
  const float shifted = fma_f32(x, factor, SHIFTER_F32);
  return (whole_f32){shifted - SHIFTER_F32, (i32)(bits_of_f32(shifted) - bits_of_f32(SHIFTER_F32))};
}

INLINE float power_of_two_f32(i32 exponent) {
  return f32_of_bits((u32)(exponent + 127) << 23);
}
/// x * 2^exponent, rounded once, for x in [0.5, 2] and exponents from -252 to 254.
__attribute__((noinline)) float __falx_cpu_scaledf(float x, i32 exponent) {
  const i32 half = exponent >> 1;
  return x * power_of_two_f32(half) * power_of_two_f32(exponent - half);
}

/// These leave NaN as it is.
INLINE float at_most_f32(float x, float limit) {
  return x > limit ? limit : x;
}
INLINE float limited_f32(float x, float low, float high) {
  x = at_most_f32(x, high);
  return x < low ? low : x;
}

#define LN2_HIGH_F32 0x1.62e43p-1f
#define LN2_LOW_F32 -0x1.05c61p-29f
#define LOG2_E_HIGH_F32 0x1.715476p+0f
#define LOG2_E_LOW_F32 0x1.4ae0cp-26f

/// (e^r - 1 - r) / r^2 for |r| <= log(2) / 2.
INLINE float exp_rest_f32(float r, _Bool is_short) {
  if (is_short)
    return fma_f32(fma_f32(fma_f32(0x1.106138p-7f, r, 0x1.572c02p-5f), r, 0x1.5557aep-3f), r, 0x1.fffdf8p-2f);
  return fma_f32(
      fma_f32(fma_f32(fma_f32(0x1.6a428ap-10f, r, 0x1.1239bcp-7f), r, 0x1.5558bap-5f), r, 0x1.555492p-3f), r,
      0x1.fffffcp-2f);
}
/// x - k * log(2), for |k| <= 1024.
INLINE float without_powers_of_two_f32(float x, float k) {
  return fma_f32(k, -LN2_LOW_F32, fma_f32(k, -LN2_HIGH_F32, x));
}

INLINE float exp_f32(float x, _Bool is_short) {
  const float limited = limited_f32(x, -105.0f, 90.0f);
  const whole_f32 k = nearest_product_f32(limited, LOG2_E_HIGH_F32);
  const float r = without_powers_of_two_f32(limited, k.number);
  return __falx_cpu_scaledf(fma_f32(exp_rest_f32(r, is_short) * r, r, r) + 1.0f, k.integer);
}

/// 2^r for |r| <= 0.5.
INLINE float exp2_near_zero_f32(float r, _Bool is_short) {
  if (is_short)
    return fma_f32(fma_f32(fma_f32(fma_f32(fma_f32(0x1.5bd34cp-10f, r, 0x1.3ceab4p-7f), r, 0x1.c6b6d8p-5f), r,
                                   0x1.ebf9bep-3f),
                           r, 0x1.62e42ap-1f),
                   r, 1.0f);
  return fma_f32(
      fma_f32(fma_f32(fma_f32(fma_f32(fma_f32(0x1.416ba4p-13f, r, 0x1.5f099cp-10f), r, 0x1.3b2dep-7f), r,
                              0x1.c6af7ap-5f),
                      r, 0x1.ebfbdcp-3f),
              r, 0x1.62e43p-1f),
      r, 1.0f);
}
INLINE float exp2_f32(float x, _Bool is_short) {
  const float limited = limited_f32(x, -152.0f, 130.0f);
  const whole_f32 k = nearest_product_f32(limited, 1.0f);
  return __falx_cpu_scaledf(exp2_near_zero_f32(limited - k.number, is_short), k.integer);
}

INLINE float exp10_f32(float x, _Bool is_short) {
  const float limited = limited_f32(x, -46.0f, 39.0f);
  const whole_f32 k = nearest_product_f32(limited, 0x1.a934fp+1f);
  const float r = fma_f32(k.number, 0x1.ec10cp-27f, fma_f32(k.number, -0x1.344136p-2f, limited)); // log10(2)
  const float power =
      is_short
          ? fma_f32(fma_f32(fma_f32(fma_f32(fma_f32(0x1.12b896p-1f, r, 0x1.2d82c8p+0f), r, 0x1.047444p+1f), r,
                                    0x1.5350dp+1f),
                            r, 0x1.26bb16p+1f),
                    r, 1.0f)
          : fma_f32(fma_f32(fma_f32(fma_f32(fma_f32(fma_f32(0x1.a63528p-3f, r, 0x1.156a62p-1f), r,
                                                    0x1.2bda04p+0f),
                                            r, 0x1.046f9cp+1f),
                                    r, 0x1.53524ap+1f),
                            r, 0x1.26bb1cp+1f),
                    r, 1.0f);
  return __falx_cpu_scaledf(power, k.integer);
}

/// e^x as 2^shift * scale * (1 + rest).
typedef struct {
  float rest, scale;
} power_f32;
INLINE power_f32 power_parts_f32(float x, i32 shift) {
  const whole_f32 k = nearest_product_f32(x, LOG2_E_HIGH_F32);
  const float r = without_powers_of_two_f32(x, k.number);
  return (power_f32){fma_f32(exp_rest_f32(r, /*is_short=*/0) * r, r, r), power_of_two_f32(k.integer - shift)};
}

/// Is x a denormal number, zero, negative, infinity or NaN? Then the logarithm has more to do.
INLINE _Bool is_no_normal_f32(float x) {
  return bits_of_f32(x) - 0x00800000 >= 0x7f000000;
}
/// x as m * 2^exponent with m in [2/3, 4/3), for what is not zero, infinity or NaN; the sign counts as m's.
typedef struct {
  float less_one; // m - 1
  float exponent;
} parts_f32;
INLINE parts_f32 take_apart_f32(float x, _Bool is_short) {
  // Short: denormal numbers as if they were near 2^-127.
  i32 bits = (i32)(bits_of_f32(x) - 0x3f2aaaab);
  i32 exponent = bits >> 23;
  if (!is_short && __builtin_expect(is_no_normal_f32(x), 0)) {
    const _Bool is_denormal = __builtin_fabsf(x) < 0x1p-126f;
    bits = (i32)(bits_of_f32(__builtin_fabsf(x) * (is_denormal ? 0x1p23f : 1.0f)) - 0x3f2aaaab);
    exponent = (bits >> 23) - (is_denormal ? 23 : 0);
  }
  const float m = f32_of_bits(((u32)bits & 0x7fffff) + 0x3f2aaaab);
  return (parts_f32){m - 1.0f, (float)exponent};
}
/// (log(1 + f) - f + f^2 / 2) / f^3 for f in [-1/3, 1/3].
INLINE float log_rest_f32(float f, _Bool is_short) {
  if (is_short)
    return fma_f32(
        fma_f32(fma_f32(fma_f32(fma_f32(fma_f32(0x1.1b083ep-3f, f, -0x1.35b4cap-3f), f, 0x1.1f95bcp-3f), f,
                                -0x1.515a44p-3f),
                        f, 0x1.99c33p-3f),
                f, -0x1.000b1cp-2f),
        f, 0x1.555528p-2f);
  return fma_f32(fma_f32(fma_f32(fma_f32(fma_f32(fma_f32(fma_f32(-0x1.07c62ap-3f, f, 0x1.1e66fep-3f), f,
                                                         -0x1.f33336p-4f),
                                                 f, 0x1.1ed68ap-3f),
                                         f, -0x1.559c44p-3f),
                                 f, 0x1.99d042p-3f),
                         f, -0x1.fffefcp-3f),
                 f, 0x1.555506p-2f);
}
/// log(1 + f) - f.
INLINE float log_less_f_f32(float f, _Bool is_short) {
  const float square = f * f;
  return fma_f32(square * f, log_rest_f32(f, is_short), -0.5f * square);
}
/// The logarithm of x, which is \p result if x is positive and finite.
INLINE float log_result_f32(float x, float result) {
  if (__builtin_expect(is_no_normal_f32(x), 0)) {
    const float large = x < INFINITY_F32 ? result : x; // infinity or NaN
    result = x > 0.0f ? large : x == 0.0f ? -INFINITY_F32 : NAN_F32;
  }
  return result;
}

INLINE float log_f32(float x, _Bool is_short) {
  const parts_f32 parts = take_apart_f32(x, is_short);
  const float f = parts.less_one;
  const float low = fma_f32(parts.exponent, LN2_LOW_F32, log_less_f_f32(f, is_short));
  return log_result_f32(x, fma_f32(parts.exponent, LN2_HIGH_F32, f + low));
}
INLINE float log2_f32(float x, _Bool is_short) {
  const parts_f32 parts = take_apart_f32(x, is_short);
  const float f = parts.less_one;
  const float rest = log_less_f_f32(f, is_short);
  const float low = fma_f32(rest, LOG2_E_HIGH_F32, f * LOG2_E_LOW_F32);
  return log_result_f32(x, parts.exponent + fma_f32(f, LOG2_E_HIGH_F32, low));
}
INLINE float log10_f32(float x, _Bool is_short) {
  const parts_f32 parts = take_apart_f32(x, is_short);
  const float f = parts.less_one;
  const float rest = log_less_f_f32(f, is_short);
  const float high = 0x1.bcb7b2p-2f, low = -0x1.5b235ep-27f; // log10(e)
  const float small = fma_f32(parts.exponent, -0x1.ec10cp-27f, fma_f32(rest, high, f * low));
  return log_result_f32(x, fma_f32(parts.exponent, 0x1.344136p-2f, fma_f32(f, high, small)));
}
INLINE float log1p_f32(float x) {
  // The logarithm of the rounded sum, and what was lost in rounding it, over it.
  const float sum = 1.0f + x;
  const parts_f32 parts = take_apart_f32(sum, /*is_short=*/1);
  const float scale = power_of_two_f32(-(i32)at_most_f32(parts.exponent, 64.0f));
  const float lost = (x >= 1.0f ? 1.0f - (sum - x) : x - (sum - 1.0f)) * scale;
  const float f = parts.less_one;
  const float quotient = lost * fma_f32(f, f - 1.0f, 1.0f); // 1 / (1 + f), nearly
  const float low = fma_f32(parts.exponent, LN2_LOW_F32, log_less_f_f32(f, /*is_short=*/0) + quotient);
  const float result = fma_f32(parts.exponent, LN2_HIGH_F32, f + low);
  return x == 0.0f ? x : log_result_f32(sum, result);
}

#define REAL float
#define NAME(name) name##_f32
#define OF_COMPILER(name) __builtin_##name##f
#define LEAST_POWER -20.0f
#define LARGEST_POWER 89.7f
#define IS_LARGE 0x1p12f
#include "hyperbolic_functions.h"

/// An angle, and how many half turns (of tan: quarter turns) were taken off it.
typedef struct {
  float rest;
  u32 count;
} angle_f32;

/// 1 / (2 pi), in words of 32 bits, after one that is 0.
static const u32 TURNS_F32[8] = {0,          0x28be60db, 0x9391054a, 0x7f09d5f4,
                                 0x7d4d3770, 0x36d8a566, 0x4f10e410, 0x7f9458ea};

/// |x| / (2 pi), without whole turns, times 2^64, for |x| >= 2^17: Payne and Hanek's reduction. What is left
/// of the product has 64 bits, and no float is so near to a multiple of pi/2 that 30 of them were not enough.
INLINE u64 turns_of_large_f32(float x) {
  const u32 bits = bits_of_f32(x);
  const u32 exponent = (bits >> 23) & 0xff;
  const u32 first = exponent - 150 + 32; // of the bits of the table that count, as x = m * 2^(exponent - 150)
  const u32 word = first >> 5, shift = first & 31; // 4 is the last word
  const u64 m = (bits & 0x7fffff) | 0x800000;
  const u64 a = TURNS_F32[word], b = TURNS_F32[word + 1], c = TURNS_F32[word + 2], d = TURNS_F32[word + 3];
  const u64 high = (((a << 32 | b) << shift) >> 32), middle = (((b << 32 | c) << shift) >> 32);
  const u64 low = (((c << 32 | d) << shift) >> 32);
  return ((m * high) << 32) + m * middle + ((m * low) >> 32);
}
/// Turns times 2^64, as an angle in [-pi/2, pi/2] and half turns; or in [-pi/4, pi/4] and quarter turns.
INLINE angle_f32 angle_of_turns_f32(u64 turns, u32 parts) {
  const u32 shift = parts == 2 ? 63 : 62;
  const u64 count = (turns + ((u64)1 << (shift - 1))) >> shift;
  const i64 rest = (i64)(turns - (count << shift));
  return (angle_f32){(float)rest * 0x1.921fb6p-62f, (u32)count};
}

#define IS_LARGE_ANGLE_F32 0x1p17f
#define PI_HIGH_F32 0x1.921fb6p+1f
#define PI_MIDDLE_F32 -0x1.777a5cp-24f
#define PI_LOW_F32 -0x1.ee59dap-49f

/// x - k * pi.
INLINE float without_half_turns_f32(float x, float k) {
  return fma_f32(k, -PI_LOW_F32, fma_f32(k, -PI_MIDDLE_F32, fma_f32(k, -PI_HIGH_F32, x)));
}
/// sin(r) for |r| <= pi / 2.
INLINE float sin_near_zero_f32(float r) {
  const float s = r * r;
  const float rest =
      fma_f32(fma_f32(fma_f32(0x1.5dc754p-19f, s, -0x1.9f70e2p-13f), s, 0x1.110edap-7f), s, -0x1.55554cp-3f);
  return fma_f32(rest * s, r, r);
}
INLINE float sin_of_angle_f32(angle_f32 angle) {
  return f32_of_bits(bits_of_f32(sin_near_zero_f32(angle.rest)) ^ angle.count << 31);
}

INLINE float sin_f32(float x, _Bool is_short) {
  const whole_f32 k = nearest_product_f32(x, 0x1.45f306p-2f);
  angle_f32 angle = {without_half_turns_f32(x, k.number), (u32)k.integer};
  if (!is_short && __builtin_expect(!(__builtin_fabsf(x) < IS_LARGE_ANGLE_F32), 0)) {
    angle = angle_of_turns_f32(turns_of_large_f32(x), 2);
    angle.count += bits_of_f32(x) >> 31;
    angle.rest = __builtin_fabsf(x) < INFINITY_F32 ? angle.rest : NAN_F32;
  }
  const float result = sin_of_angle_f32(angle);
  return x == 0.0f ? x : result; // -0 has become 0
}
INLINE float cos_f32(float x, _Bool is_short) {
  // As the sine of x + pi / 2: k is half of an odd number.
  const float shifted = fma_f32(__builtin_fabsf(x), 0x1.45f306p-2f, 0.5f) + SHIFTER_F32;
  const float k = (shifted - SHIFTER_F32) - 0.5f;
  angle_f32 angle = {without_half_turns_f32(__builtin_fabsf(x), k), bits_of_f32(shifted)};
  if (!is_short && __builtin_expect(!(__builtin_fabsf(x) < IS_LARGE_ANGLE_F32), 0)) {
    angle = angle_of_turns_f32(turns_of_large_f32(x) + ((u64)1 << 62), 2);
    angle.rest = __builtin_fabsf(x) < INFINITY_F32 ? angle.rest : NAN_F32;
  }
  return sin_of_angle_f32(angle);
}
INLINE float tan_f32(float x, _Bool is_short) {
  const whole_f32 k = nearest_product_f32(x, 0x1.45f306p-1f);
  angle_f32 angle = {without_half_turns_f32(x, 0.5f * k.number), (u32)k.integer};
  if (!is_short && __builtin_expect(!(__builtin_fabsf(x) < IS_LARGE_ANGLE_F32), 0)) {
    angle = angle_of_turns_f32(turns_of_large_f32(x), 4);
    angle.rest = copy_sign_f32(1.0f, x) * (__builtin_fabsf(x) < INFINITY_F32 ? angle.rest : NAN_F32);
  }
  const float s = angle.rest * angle.rest;
  const float rest =
      fma_f32(fma_f32(fma_f32(fma_f32(fma_f32(0x1.3428e6p-7f, s, 0x1.94f38ap-9f), s, 0x1.908d92p-6f), s,
                              0x1.b5822cp-5f),
                      s, 0x1.112df8p-3f),
              s, 0x1.5554dep-2f);
  const float t = fma_f32(rest * s, angle.rest, angle.rest);
  const float result = (angle.count & 1) != 0 ? -1.0f / t : t;
  return x == 0.0f ? x : result;
}

INLINE float erf_f32(float x) {
  // 1 - e^-p with p = -log(erfc(|x|)) as a polynomial; from 3.93 on it is 1.
  const float t = at_most_f32(__builtin_fabsf(x), 3.93f);
  const float q = fma_f32(
      fma_f32(
          fma_f32(fma_f32(fma_f32(fma_f32(fma_f32(0x1.2c2b4ap-15f, t, -0x1.6cec4p-12f), t, 0x1.3277e6p-10f),
                                  t, 0x1.3e398p-12f),
                          t, -0x1.3d7d8cp-6f),
                  t, 0x1.a53012p-4f),
          t, 0x1.45f26cp-1f),
      t, 0x1.20dd76p+0f);
  const power_f32 power = power_parts_f32(-q * t, 0);
  return copy_sign_f32(-fma_f32(power.scale, power.rest, power.scale - 1.0f), x);
}
INLINE float erfc_f32(float x) {
  // e^(-x^2) * u * P(u) with u = 1 / (1 + |x| / 3).
  const float t = at_most_f32(__builtin_fabsf(x), 10.5f);
  const float u = 3.0f / (t + 3.0f);
  const float p =
      u * fma_f32(fma_f32(fma_f32(fma_f32(fma_f32(fma_f32(fma_f32(-0x1.003014p-3f, u, 0x1.9cbb8ep-2f), u,
                                                          -0x1.108926p-2f),
                                                  u, 0x1.5b6374p-2f),
                                          u, 0x1.4ad0f6p-4f),
                                  u, 0x1.8d0048p-3f),
                          u, 0x1.7d4358p-3f),
                  u, 0x1.81583p-3f);
  const float square = t * t, lost = fma_f32(t, t, -square);
  const whole_f32 k = nearest_product_f32(-square, LOG2_E_HIGH_F32);
  const float r = without_powers_of_two_f32(-square, k.number) - lost;
  const float power = fma_f32(exp_rest_f32(r, /*is_short=*/0) * r, r, r);
  const float result = __falx_cpu_scaledf(fma_f32(p, power, p), k.integer);
  return x < 0.0f ? 2.0f - result : result;
}

/// Short: log2(x) is one float.
INLINE float pow_f32(float x, float y, _Bool is_short) {
  const parts_f32 parts = take_apart_f32(x, /*is_short=*/0);
  const float f = parts.less_one, k = parts.exponent;
  const float square = f * f;
  const float tail = (square * f) * log_rest_f32(f, is_short);
  float high, low;
  if (is_short) {
    const float rest = fma_f32(square, -0.5f, tail);
    high = k + fma_f32(f, LOG2_E_HIGH_F32, fma_f32(rest, LOG2_E_HIGH_F32, f * LOG2_E_LOW_F32));
    low = 0.0f;
  } else {
    // log(1 + f) and then log2(x) as sums of two floats.
    const float square_low = fma_f32(f, f, -square);
    const float start = fma_f32(-0.5f, square, f);
    const float l = start + tail;
    const float start_low = fma_f32(-0.5f, square_low, fma_f32(-0.5f, square, f - start));
    const float l_low = (start - l) + tail + start_low;
    const float p = l * LOG2_E_HIGH_F32;
    const float p_low = fma_f32(l, LOG2_E_HIGH_F32, -p) + fma_f32(l_low, LOG2_E_HIGH_F32, l * LOG2_E_LOW_F32);
    high = k + p;
    low = (k - high) + p + p_low;
  }
  const float product = y * high;
  const float limited = limited_f32(product, -170.0f, 150.0f);
  const whole_f32 whole = nearest_product_f32(limited, 1.0f);
  // Where the product is so large that it is not exact, it does not matter.
  const float rest = is_short ? 0.0f : fma_f32(y, low, fma_f32(y, high, -product));
  const float r = (limited - whole.number) + (is_short || limited != product ? 0.0f : rest);
  float result = __falx_cpu_scaledf(exp2_near_zero_f32(r, is_short), whole.integer);

  if (__builtin_expect(is_no_normal_f32(x) || !(__builtin_fabsf(y) < INFINITY_F32), 0))
    result = (float)pow_at_ends(x, y, result);
  return result;
}
