// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Functions of the C library and of compilers' run-time libraries that host code calls without saying so,
/// and that GPUs have nothing for: comparing memory, lgamma_r, conversions of 128-bit integers. Compiled to
/// bitcode for NVPTX when Falx is built; the JIT links what a kernel needs.

typedef unsigned long size_t;
typedef __int128 ti;
typedef unsigned __int128 uti;
typedef unsigned long u64;
typedef unsigned u32;

int memcmp(const void* a, const void* b, size_t count) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < count; ++i)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}
int bcmp(const void* a, const void* b, size_t count) {
  return memcmp(a, b, count);
}
void* memchr(const void* text, int wanted, size_t count) {
  const unsigned char* at = text;
  for (size_t i = 0; i < count; ++i)
    if (at[i] == (unsigned char)wanted)
      return (void*)(at + i);
  return 0;
}
size_t strlen(const char* text) {
  size_t length = 0;
  while (text[length] != 0)
    ++length;
  return length;
}
int strncmp(const char* a, const char* b, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (a[i] != b[i])
      return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : 1;
    if (a[i] == 0)
      break;
  }
  return 0;
}
int strcmp(const char* a, const char* b) {
  return strncmp(a, b, ~(size_t)0);
}

/// lgamma, and the sign of the gamma function: negative between -1 and 0, -3 and -2, and so on.
#define LOGARITHM_OF_GAMMA(NAME, TYPE, FLOOR)                                                                \
  TYPE NAME(TYPE x);                                                                                         \
  TYPE NAME##_r(TYPE x, int* sign) {                                                                         \
    const TYPE below = FLOOR(x);                                                                             \
    const _Bool is_odd = FLOOR(below / 2) != below / 2;                                                      \
    const _Bool is_negative = x == 0 ? __builtin_signbit(x) : x < 0 && is_odd && below != x;                 \
    *sign = is_negative ? -1 : 1;                                                                            \
    return NAME(x);                                                                                          \
  }
LOGARITHM_OF_GAMMA(lgammaf, float, __builtin_floorf)
LOGARITHM_OF_GAMMA(lgamma, double, __builtin_floor)

static double power_of_two(int exponent) {
  const u64 bits = (u64)(exponent + 1023) << 52;
  double result;
  __builtin_memcpy(&result, &bits, sizeof(result));
  return result;
}
/// The leading 64 bits of \p value, which is not 0, with the last one set if any below is: rounding them
/// rounds the whole. \p exponent becomes that of the last bit.
static u64 leading_bits(uti value, int* exponent) {
  const u64 high = (u64)(value >> 64), low = (u64)value;
  const int zeros = high != 0 ? __builtin_clzl(high) : 64 + __builtin_clzl(low);
  const uti shifted = value << zeros;
  *exponent = 64 - zeros;
  return (u64)(shifted >> 64) | ((u64)shifted != 0);
}
double falx_u128_to_double(uti value) {
  if (value == 0)
    return 0;
  int exponent;
  const u64 bits = leading_bits(value, &exponent);
  return (double)bits * power_of_two(exponent);
}
/// A double that rounds to float, half or bfloat16 as \p value does.
double falx_u128_to_double_for_less(uti value) {
  if (value == 0)
    return 0;
  int exponent;
  const u64 bits = leading_bits(value, &exponent);
  const u32 fewer = (u32)(bits >> 32) | ((u32)bits != 0);
  return (double)fewer * power_of_two(exponent + 32);
}
#define OF_SIGNED(NAME, OF_UNSIGNED)                                                                         \
  double NAME(ti value) {                                                                                    \
    const double magnitude = OF_UNSIGNED(value < 0 ? -(uti)value : (uti)value);                              \
    return value < 0 ? -magnitude : magnitude;                                                               \
  }
OF_SIGNED(falx_s128_to_double, falx_u128_to_double)
OF_SIGNED(falx_s128_to_double_for_less, falx_u128_to_double_for_less)
uti falx_double_to_u128(double value) {
  const double high = __builtin_floor(value * 0x1p-64);
  const double low = value - high * 0x1p64;
  return (uti)(u64)high << 64 | (u64)low;
}
ti falx_double_to_s128(double value) {
  const uti magnitude = falx_double_to_u128(__builtin_fabs(value));
  return (ti)(value < 0 ? -magnitude : magnitude);
}
