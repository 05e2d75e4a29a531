// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of run_shared_divisors.py: calls each function in both forms with the same numbers, and compares the
// arrays.
#include "../../quotients.hpp"
#include "reciprocal_estimates.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <limits>
#include <random>

constexpr int ELEMENTS = 16;

template <class T>
void change(T* p) {
  for (int i = 0; i < ELEMENTS; i += 3)
    p[i] = p[i] + 1;
}
extern "C" void change_float(float* p) {
  change(p);
}
extern "C" void change_double(double* p) {
  change(p);
}

#define FUNCTION(number, type)                                                                               \
  extern "C" void f##number(type*, type, type, int);                                                         \
  extern "C" void made_##number(type*, type, type, int);
#include "functions.inc"
#undef FUNCTION

static std::mt19937_64 random_bits(1);

/// Mostly of usual size; zeros, infinities, denormal numbers and others.
template <class T>
T any() {
  using limits = std::numeric_limits<T>;
  const T special[] = {
      0,   -T(0), limits::infinity(), limits::denorm_min(), limits::min(), limits::max(), limits::quiet_NaN(),
      T(1)};
  const auto bits = random_bits();
  if (bits % 32 == 0)
    return special[bits / 32 % std::size(special)];
  const T fraction = T(1) + T(bits >> 40) / T(1 << 24);
  const int exponent = bits % 32 == 1 ? int(bits / 32 % 200) - 100 : int(bits / 32 % 12) - 6;
  return std::ldexp(bits / 8192 % 2 != 0 ? -fraction : fraction, exponent);
}

template <class T>
int check(int number, void (*plain)(T*, T, T, int), void (*made)(T*, T, T, int)) {
  for (int round = 0; round < 2000; ++round) {
    T before[ELEMENTS], expected[ELEMENTS], found[ELEMENTS];
    for (int i = 0; i < ELEMENTS; ++i)
      before[i] = expected[i] = found[i] = any<T>();
    const T m = any<T>(), n = any<T>();
    const int rounds = int(random_bits() % 5) + 1;
    plain(expected, m, n, rounds);
    made(found, m, n, rounds);
    for (int i = 0; i < ELEMENTS; ++i)
      if (!are_same(expected[i], found[i])) {
        std::printf("function %d, element %d: %a, not %a\n", number, i, double(found[i]),
                    double(expected[i]));
        return 1;
      }
  }
  return 0;
}

int main() {
  int wrong = 0;
#define FUNCTION(number, type) wrong += check<type>(number, &f##number, &made_##number);
#include "functions.inc"
#undef FUNCTION
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
