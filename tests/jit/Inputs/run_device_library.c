// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Compares math/device_library.c, compiled for the host with other names for what the C library has, with
/// what the host's compiler and libraries do. Prints what differs.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 uti;

double falx_u128_to_double(uti value);
double falx_u128_to_double_for_less(uti value);
uti falx_double_to_u128(double value);
void falx_complex_product_float(float, float, float, float, float*);
void falx_complex_product_double(double, double, double, double, double*);
void falx_complex_quotient_float(float, float, float, float, float*);
void falx_complex_quotient_double(double, double, double, double, double*);
int falx_memcmp(const void*, const void*, size_t);
void* falx_memchr(const void*, int, size_t);
size_t falx_strlen(const char*);
int falx_strcmp(const char*, const char*);
int falx_strncmp(const char*, const char*, size_t);

static int failures = 0;

static void expect(int holds, const char* what) {
  if (!holds && ++failures < 10)
    printf("wrong: %s\n", what);
}
static int close_to(double a, double b, double tolerance) {
  return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= tolerance * fabs(b);
}
static unsigned long random_word(void) {
  return (unsigned long)rand() << 33 ^ (unsigned long)rand() << 11 ^ (unsigned long)rand();
}

static void check_conversions(void) {
  for (int round = 0; round < 1000000; ++round) {
    uti value = (uti)random_word() << 64 | random_word();
    value >>= rand() % 128;
    if (rand() % 3 == 0)
      value &= ~(((uti)1 << rand() % 128) - 1);
    expect(falx_u128_to_double(value) == (double)value, "to double");
    expect((float)falx_u128_to_double_for_less(value) == (float)value, "to float");
    expect((_Float16)falx_u128_to_double_for_less(value) == (_Float16)value, "to half");
    const double real = (double)value;
    if (real < 0x1p128)
      expect(falx_double_to_u128(real) == (uti)real, "from double");
  }
}

#define COMPLEX_OPERATION(T, operation, sign, tolerance)                                                     \
  {                                                                                                          \
    volatile T _Complex result = __builtin_complex((T)a, (T)b) sign __builtin_complex((T)c, (T)d);           \
    T found[2];                                                                                              \
    falx_complex_##operation##_##T((T)a, (T)b, (T)c, (T)d, found);                                           \
    expect(close_to(found[0], __real__ result, tolerance) && close_to(found[1], __imag__ result, tolerance), \
           #operation " of " #T);                                                                            \
  }

static void check_complex(void) {
  static const double NUMBERS[] = {0,        -0.0,      1,   -1,     2.5,   1e300, -1e-300,
                                   INFINITY, -INFINITY, NAN, 5e-324, 1e308, 1e-30, -3e37};
  enum { COUNT = sizeof(NUMBERS) / sizeof(NUMBERS[0]) };
  for (int i = 0; i < COUNT * COUNT * COUNT * COUNT; ++i) {
    const double a = NUMBERS[i % COUNT], b = NUMBERS[i / COUNT % COUNT];
    const double c = NUMBERS[i / COUNT / COUNT % COUNT], d = NUMBERS[i / COUNT / COUNT / COUNT];
    COMPLEX_OPERATION(double, product, *, 0)
    COMPLEX_OPERATION(float, product, *, 0)
    COMPLEX_OPERATION(double, quotient, /, 1e-15)
    COMPLEX_OPERATION(float, quotient, /, 1e-6)
  }
}

static int sign_of(int x) {
  return (x > 0) - (x < 0);
}
static void check_memory(void) {
  static const char* const TEXTS[] = {"", "a", "ab", "abc", "b", "\xff", "ab\0c"};
  for (int i = 0; i < 7; ++i) {
    expect(falx_strlen(TEXTS[i]) == strlen(TEXTS[i]), "strlen");
    expect(falx_memchr(TEXTS[i], 'b', strlen(TEXTS[i]) + 1) == memchr(TEXTS[i], 'b', strlen(TEXTS[i]) + 1),
           "memchr");
    for (int j = 0; j < 7; ++j) {
      expect(falx_strcmp(TEXTS[i], TEXTS[j]) == sign_of(strcmp(TEXTS[i], TEXTS[j])), "strcmp");
      expect(falx_strncmp(TEXTS[i], TEXTS[j], 2) == sign_of(strncmp(TEXTS[i], TEXTS[j], 2)), "strncmp");
      expect(falx_memcmp(TEXTS[i], TEXTS[j], 1) == sign_of(memcmp(TEXTS[i], TEXTS[j], 1)), "memcmp");
    }
  }
}

int main(void) {
  check_conversions();
  check_complex();
  check_memory();
  printf("%d wrong\n", failures);
  return failures != 0;
}
