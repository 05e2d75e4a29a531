// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of run_quotients.py: quotients as GPUs compute them beside the host's, of numbers whose quotient is
// next to a middle between two numbers, of numbers near the ends of the range, and of any, with estimates
// that err by all that an estimate may; and by constants.
#include "../../quotients.hpp"
#include "reciprocal_estimates.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

constexpr int COUNT = 4;

std::uint64_t rare = 0, wrong = 0, all = 0;

template <class T>
struct format;
template <>
struct format<float> {
  static constexpr int DIGITS = 23;
  static constexpr int BIAS = 127;
};
template <>
struct format<double> {
  static constexpr int DIGITS = 52;
  static constexpr int BIAS = 1023;
};
} // namespace

extern "C" float rare_float(float a, float b) {
  ++rare;
  return a / b;
}
extern "C" double rare_double(double a, double b) {
  ++rare;
  return a / b;
}
extern "C" void divide_float(const float* dividends, float divisor, float* quotients);
extern "C" void divide_double(const double* dividends, double divisor, double* quotients);
#define CONSTANT(type, number, value)                                                                        \
  extern "C" void divide_##type##_##number(const type* dividends, type* quotients);
#include "constants.inc"
#undef CONSTANT

namespace {

void divide(const float* dividends, float divisor, float* quotients) {
  divide_float(dividends, divisor, quotients);
}
void divide(const double* dividends, double divisor, double* quotients) {
  divide_double(dividends, divisor, quotients);
}

template <class T>
void expect(const T (&quotients)[COUNT], const T (&dividends)[COUNT], T divisor, bool is_slow) {
  all += COUNT;
  for (int i = 0; i < COUNT; ++i) {
    const T expected = dividends[i] / divisor;
    if (are_same(quotients[i], expected) && !is_slow)
      continue;
    if (wrong++ < 10)
      std::printf("%a / %a is %a, not %a; %d units off\n", static_cast<double>(dividends[i]),
                  static_cast<double>(divisor), static_cast<double>(quotients[i]),
                  static_cast<double>(expected), estimate_error);
  }
}

template <class T>
void check(const T (&dividends)[COUNT], T divisor, bool is_usual) {
  T quotients[COUNT];
  const std::uint64_t before = rare;
  divide(dividends, divisor, quotients);
  expect(quotients, dividends, divisor, is_usual && rare != before);
}

template <class T>
T make(bool is_negative, int exponent, bits_of<T> fraction) {
  using f = format<T>;
  const bits_of<T> biased = std::clamp<int>(exponent + f::BIAS, 0, 2 * f::BIAS + 1);
  return std::bit_cast<T>(static_cast<bits_of<T>>(bits_of<T>(is_negative) << (sizeof(T) * 8 - 1) |
                                                  biased << f::DIGITS | fraction));
}

std::mt19937_64 random_bits(1);

/// Any, or with many zeros or ones at either end.
template <class T>
bits_of<T> any_fraction() {
  const bits_of<T> mask = (bits_of<T>(1) << format<T>::DIGITS) - 1, value = random_bits() & mask;
  const bits_of<T> ones = (bits_of<T>(1) << random_bits() % format<T>::DIGITS) - 1;
  switch (random_bits() % 5) {
  case 0:
    return value & ~ones;
  case 1:
    return value | ones;
  case 2:
    return mask - random_bits() % 64;
  case 3:
    return random_bits() % 64;
  default:
    return value;
  }
}

/// hard_dividend of the number of \p fraction, from 1 to 2.
template <class T>
T hard_dividend_of(bits_of<T> fraction, int off) {
  const T result = hard_dividend<T>(bits_of<T>(1) << format<T>::DIGITS | fraction, off);
  return std::ldexp(result, -std::ilogb(result));
}

template <class T>
void check_fraction(bits_of<T> fraction, int errors) {
  const T divisor = make<T>(false, 0, fraction);
  for (estimate_error = -errors; estimate_error <= errors; ++estimate_error) {
    const T hard[COUNT] = {hard_dividend_of<T>(fraction, 1), hard_dividend_of<T>(fraction, -1),
                           hard_dividend_of<T>(fraction, 3), hard_dividend_of<T>(fraction, -3)};
    check(hard, divisor, true);
    const T others[COUNT] = {hard_dividend_of<T>(fraction, 5), hard_dividend_of<T>(fraction, -7), 1,
                             make<T>(true, 0, any_fraction<T>())};
    check(others, divisor, true);
  }
}

/// Exponents at the ends of what is usual, and any.
template <class T>
void check_range(int errors) {
  const int most = format<T>::BIAS + 1;
  const auto any_exponent = [&] { return int(random_bits() % (2 * most)) - most + 1; };
  const auto any_number = [&](int exponent) {
    return make<T>(random_bits() % 2 != 0, exponent, any_fraction<T>());
  };
  const int of_divisor = any_exponent();
  const T divisor = any_number(of_divisor);
  estimate_error = int(random_bits() % (2 * errors + 1)) - errors;
  const T any[COUNT] = {any_number(any_exponent()), any_number(any_exponent()), any_number(any_exponent()),
                        any_number(any_exponent())};
  check(any, divisor, false);
  const T alike[COUNT] = {any_number(any_exponent()), T(1), T(2), any_number(0)};
  check(alike, divisor, false);
  const int at_end = of_divisor + (random_bits() % 2 != 0 ? most - 1 : 2 - most);
  const T ends[COUNT] = {any_number(at_end), T(1), any_number(at_end), T(1)};
  check(ends, divisor, false);
}

/// By a constant: hard dividends of all sizes, special ones and any, one that is rare beside others.
template <class T>
void check_constant(T divisor, void (*divide_by)(const T*, T*)) {
  const auto check_all = [&](const T(&dividends)[COUNT]) {
    T quotients[COUNT];
    divide_by(dividends, quotients);
    expect(quotients, dividends, divisor, false);
  };
  const auto fraction = std::bit_cast<bits_of<T>>(divisor) & ((bits_of<T>(1) << format<T>::DIGITS) - 1);
  const int most = format<T>::BIAS + 1;
  for (int exponent = 1 - most; exponent < most; ++exponent)
    for (int off = 1; off < 64; off += 4) {
      T hard[COUNT];
      for (int i = 0; i < COUNT; ++i)
        hard[i] = std::ldexp(hard_dividend_of<T>(fraction, i < 2 ? off + 2 * i : 4 - 2 * i - off), exponent);
      check_all(hard);
    }
  for (const T special : SPECIAL_NUMBERS<T>)
    check_all({special, 1, -1, special});
  for (int i = 0; i < 20'000; ++i)
    check_all({std::bit_cast<T>(static_cast<bits_of<T>>(random_bits())), make<T>(false, 0, any_fraction<T>()),
               1, make<T>(true, int(random_bits() % 64) - 32, any_fraction<T>())});
}

template <class T>
void check_special() {
  estimate_error = 0;
  for (const T divisor : SPECIAL_NUMBERS<T>)
    for (const T dividend : SPECIAL_NUMBERS<T>) {
      const T beside_one[COUNT] = {dividend, 1, 1, 1};
      check(beside_one, divisor, false);
    }
  const T zeros[COUNT] = {0, 1, 2, -T(0)};
  check(zeros, T(3), true);
  check(zeros, T(-3), false);
}

} // namespace

int main(int, char** arguments) {
  const auto step = static_cast<std::uint32_t>(std::atoi(arguments[1]));
  for (std::uint32_t fraction = 0; fraction < 1U << format<float>::DIGITS; fraction += step)
    check_fraction<float>(fraction, 1);
  for (int i = 0; i < 300'000; ++i) {
    check_fraction<double>(any_fraction<double>(), 2);
    check_range<float>(1);
    check_range<double>(2);
  }
  check_special<float>();
  check_special<double>();
#define CONSTANT(type, number, value)                                                                        \
  check_constant<type>(static_cast<type>(value), divide_##type##_##number);
#include "constants.inc"
  std::printf("%llu quotients, %llu rare, %llu wrong\n", static_cast<unsigned long long>(all),
              static_cast<unsigned long long>(rare), static_cast<unsigned long long>(wrong));
  return wrong != 0;
}
