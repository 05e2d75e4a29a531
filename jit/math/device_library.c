// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Functions of the C library and of compilers' run-time libraries that host code calls without saying so,
/// and that GPUs have nothing for: comparing memory, products and quotients of complex numbers, conversions
/// of 128-bit integers. Compiled to bitcode for NVPTX when Falx is built; the JIT links what a kernel needs.

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

// Annex G.5.1 of the C standard. In x86's calling convention a complex float is a vector of two, a complex
// double a structure; the JIT calls these with pointers to the results instead.
#define COMPLEX(T, SUFFIX, fabs, copysign, fmax, logb, scalbn, isnan, isinf, isfinite, INFINITE)             \
  static T boxed_##SUFFIX(T x) {                                                                             \
    return copysign(isinf(x) ? (T)1 : (T)0, x);                                                              \
  }                                                                                                          \
  static T zero_if_nan_##SUFFIX(T x) {                                                                       \
    return isnan(x) ? copysign((T)0, x) : x;                                                                 \
  }                                                                                                          \
  void falx_complex_product_##SUFFIX(T a, T b, T c, T d, T* result) {                                        \
    const T ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                                  \
    T real = ac - bd, imaginary = ad + bc;                                                                   \
    if (isnan(real) && isnan(imaginary)) {                                                                   \
      int again = 0;                                                                                         \
      if (isinf(a) || isinf(b)) {                                                                            \
        a = boxed_##SUFFIX(a);                                                                               \
        b = boxed_##SUFFIX(b);                                                                               \
        c = zero_if_nan_##SUFFIX(c);                                                                         \
        d = zero_if_nan_##SUFFIX(d);                                                                         \
        again = 1;                                                                                           \
      }                                                                                                      \
      if (isinf(c) || isinf(d)) {                                                                            \
        c = boxed_##SUFFIX(c);                                                                               \
        d = boxed_##SUFFIX(d);                                                                               \
        a = zero_if_nan_##SUFFIX(a);                                                                         \
        b = zero_if_nan_##SUFFIX(b);                                                                         \
        again = 1;                                                                                           \
      }                                                                                                      \
      if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {                                    \
        a = zero_if_nan_##SUFFIX(a);                                                                         \
        b = zero_if_nan_##SUFFIX(b);                                                                         \
        c = zero_if_nan_##SUFFIX(c);                                                                         \
        d = zero_if_nan_##SUFFIX(d);                                                                         \
        again = 1;                                                                                           \
      }                                                                                                      \
      if (again) {                                                                                           \
        real = INFINITE * (a * c - b * d);                                                                   \
        imaginary = INFINITE * (a * d + b * c);                                                              \
      }                                                                                                      \
    }                                                                                                        \
    result[0] = real;                                                                                        \
    result[1] = imaginary;                                                                                   \
  }                                                                                                          \
  void falx_complex_quotient_##SUFFIX(T a, T b, T c, T d, T* result) {                                       \
    const T larger = fmax(fabs(c), fabs(d));                                                                 \
    int exponent = 0;                                                                                        \
    if (isfinite(larger) && larger != 0) {                                                                   \
      exponent = -logb(larger);                                                                              \
      c = scalbn(c, exponent);                                                                               \
      d = scalbn(d, exponent);                                                                               \
    }                                                                                                        \
    const T square = c * c + d * d;                                                                          \
    T real = scalbn((a * c + b * d) / square, exponent);                                                     \
    T imaginary = scalbn((b * c - a * d) / square, exponent);                                                \
    if (isnan(real) && isnan(imaginary)) {                                                                   \
      if (square == 0 && (!isnan(a) || !isnan(b))) {                                                         \
        real = copysign(INFINITE, c) * a;                                                                    \
        imaginary = copysign(INFINITE, c) * b;                                                               \
      } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {                                     \
        a = boxed_##SUFFIX(a);                                                                               \
        b = boxed_##SUFFIX(b);                                                                               \
        real = INFINITE * (a * c + b * d);                                                                   \
        imaginary = INFINITE * (b * c - a * d);                                                              \
      } else if (isinf(larger) && isfinite(a) && isfinite(b)) {                                              \
        c = boxed_##SUFFIX(c);                                                                               \
        d = boxed_##SUFFIX(d);                                                                               \
        real = 0 * (a * c + b * d);                                                                          \
        imaginary = 0 * (b * c - a * d);                                                                     \
      }                                                                                                      \
    }                                                                                                        \
    result[0] = real;                                                                                        \
    result[1] = imaginary;                                                                                   \
  }

/// The binary exponent of a finite number other than 0.
static int exponent_of_double(double x) {
  u64 bits;
  __builtin_memcpy(&bits, &x, sizeof(bits));
  const int exponent = (int)(bits >> 52 & 0x7ff);
  if (exponent != 0)
    return exponent - 1023;
  return -1011 - __builtin_clzl(bits & 0xfffffffffffffUL);
}
static int exponent_of_float(float x) {
  return exponent_of_double(x);
}
static double power_of_two(int exponent) {
  const u64 bits = (u64)(exponent + 1023) << 52;
  double result;
  __builtin_memcpy(&result, &bits, sizeof(result));
  return result;
}
/// In halves, as a power may be out of range where the result is not.
static double scaled_double(double x, int exponent) {
  const int half = exponent / 2;
  return x * power_of_two(half) * power_of_two(exponent - half);
}
static float scaled_float(float x, int exponent) {
  return (float)scaled_double(x, exponent);
}
COMPLEX(float, float, __builtin_fabsf, __builtin_copysignf, __builtin_fmaxf, exponent_of_float, scaled_float,
        __builtin_isnan, __builtin_isinf, __builtin_isfinite, __builtin_inff())
COMPLEX(double, double, __builtin_fabs, __builtin_copysign, __builtin_fmax, exponent_of_double, scaled_double,
        __builtin_isnan, __builtin_isinf, __builtin_isfinite, __builtin_inf())

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
uti falx_double_to_u128(double value) {
  const double high = __builtin_floor(value * 0x1p-64);
  const double low = value - high * 0x1p64;
  return (uti)(u64)high << 64 | (u64)low;
}
