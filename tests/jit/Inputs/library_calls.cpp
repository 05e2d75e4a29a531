// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library_calls.hpp"
#include "falx/device_builtins.hpp"

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using half4 = _Float16 __attribute__((ext_vector_type(4)));
using float4 = float __attribute__((ext_vector_type(4)));
using double2 = double __attribute__((ext_vector_type(2)));

static __int128 wide(double x) {
  return static_cast<__int128>(x * 1e6) << 50;
}
static unsigned __int128 uwide(double x) {
  return static_cast<unsigned __int128>(x * 1e6) << 60;
}
static double _Complex complex(double real, double imaginary) {
  double _Complex result;
  __real__ result = real;
  __imag__ result = imaginary;
  return result;
}

// Sizes that only the run time knows.
static double copied(double x) {
  double from[64], to[64] = {};
  for (int i = 0; i < 64; ++i)
    from[i] = x + i;
  std::memcpy(to, from, std::size_t(x * 10) % 64 * sizeof(double));
  return to[3] + to[40];
}
static double moved(double x) {
  double from[64];
  for (int i = 0; i < 64; ++i)
    from[i] = x + i;
  std::memmove(from + 1, from, std::size_t(x * 10) % 63 * sizeof(double));
  return from[3] + from[40];
}
static double set(double x) {
  unsigned char bytes[256] = {};
  std::memset(bytes, int(x) & 127, std::size_t(x * 10) % 256);
  return bytes[3] + bytes[100];
}
static double compared(double x) {
  char a[64] = {}, b[64] = {};
  a[40] = 1;
  return std::memcmp(a, b, std::size_t(x * 10) % 64) > 0;
}
static double text_length(double x) {
  char text[64];
  for (int i = 0; i < 64; ++i)
    text[i] = i < int(x) % 60 ? 'a' : '\0';
  return double(std::strlen(text));
}
static double asserted(double x) {
  assert(x < 1e9);
  return x;
}
static double printed(double x) {
  if (x > 1e9) {
    std::printf("%f\n", x);
    std::puts("too large");
  }
  return x;
}
static double divided(double x) {
  const int a = int(x * 1000);
  const std::div_t i = std::div(a, -7);
  const std::ldiv_t l = std::ldiv(a * 1000L, 13);
  const std::lldiv_t ll = std::lldiv(-a, 17);
  return i.quot * 1e3 + i.rem + double(l.quot) * 1e6 + double(l.rem) + double(ll.quot) + double(ll.rem);
}
static double aborted(double x) {
  if (x > 1e9)
    std::abort();
  return x;
}

extern "C" {
#define CALL(name, tolerance, expression)                                                                    \
  void name##_kernel(const library_call_arguments& f) {                                                      \
    const auto index = __falx_global_id_x();                                                                 \
    [[maybe_unused]] const double x = f.in[index];                                                           \
    [[maybe_unused]] int number = 0;                                                                         \
    [[maybe_unused]] long long_result = 0;                                                                   \
    [[maybe_unused]] __int128 wide_result = 0;                                                               \
    [[maybe_unused]] double result = 0;                                                                      \
    f.out[index] = double(expression);                                                                       \
  }
LIBRARY_CALLS(CALL)
}
