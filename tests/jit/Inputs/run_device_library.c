// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Compares math/device_library.c, compiled for the host with other names for what the C library has, with
/// what the host's compiler and libraries do. Prints what differs.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 ti;
typedef unsigned __int128 uti;

double falx_u128_to_double(uti value);
double falx_u128_to_double_for_less(uti value);
uti falx_double_to_u128(double value);
double falx_s128_to_double(ti value);
double falx_s128_to_double_for_less(ti value);
ti falx_double_to_s128(double value);
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
    const ti number = (ti)value;
    expect(falx_s128_to_double(number) == (double)number, "signed to double");
    expect((float)falx_s128_to_double_for_less(number) == (float)number, "signed to float");
    const double with_sign = (double)number;
    if (with_sign < 0x1p127 && with_sign > -0x1p127)
      expect(falx_double_to_s128(with_sign) == (ti)with_sign, "signed from double");
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
  check_memory();
  printf("%d wrong\n", failures);
  return failures != 0;
}
