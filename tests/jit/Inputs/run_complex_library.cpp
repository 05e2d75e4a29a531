// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// run_complex_library <library>: compares math/complex_library.cpp, compiled for the host as a library, with
/// the C library's functions of long double and, for special values, with those of double. Prints what
/// differs.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <limits>
#include <string>

namespace {

/// Units in the last place that a part may be off.
constexpr double LIMIT = 6;

int failures = 0;

template <class T>
void fail(const char* name, std::complex<T> z, std::complex<T> got, std::complex<long double> expected) {
  if (++failures < 20)
    std::printf("%s(%a, %a) is (%.17g, %.17g), should be (%.17Lg, %.17Lg)\n", name, double(z.real()),
                double(z.imag()), double(got.real()), double(got.imag()), expected.real(), expected.imag());
}

template <class T>
double distance_in_ulps(T got, long double exact) {
  const T expected = T(exact);
  if (std::isnan(got) || std::isnan(expected))
    return std::isnan(got) == std::isnan(expected) ? 0 : HUGE_VAL;
  if (got == expected)
    return 0;
  if (std::isinf(got) || std::isinf(expected))
    return HUGE_VAL;
  const int exponent =
      std::max(exact == 0 ? -20000 : std::ilogb(exact), std::numeric_limits<T>::min_exponent - 1);
  return double(std::fabs(got - exact) / std::ldexp(1.0L, exponent + 1 - std::numeric_limits<T>::digits));
}

double random_number() { // from -1 to 1
  return 2 * drand48() - 1;
}
template <class T>
T spread(double exponents) {
  return T(std::copysign(std::exp2(exponents * random_number()), random_number()));
}
template <class T>
std::complex<T> sample(int kind) {
  const double widest = std::numeric_limits<T>::max_exponent - 20;
  const double angle = 4 * random_number(), radius = 1 + random_number() * (kind == 3 ? 1e-3 : 1e-9);
  switch (kind) {
  case 0:
    return {T(4 * random_number()), T(4 * random_number())};
  case 1:
    return {spread<T>(12), spread<T>(12)};
  case 2:
    return {spread<T>(widest), spread<T>(widest)};
  default:
    return {T(radius * std::cos(angle)), T(radius * std::sin(angle))};
  }
}

using c_float = float _Complex;
using c_double = double _Complex;

c_float to_c(std::complex<float> z) {
  return __builtin_complex(z.real(), z.imag());
}
c_double to_c(std::complex<double> z) {
  return __builtin_complex(z.real(), z.imag());
}
std::complex<float> from_c(c_float z) {
  return {__real__ z, __imag__ z};
}
std::complex<double> from_c(c_double z) {
  return {__real__ z, __imag__ z};
}

template <class T, class C>
void check_function(void* library, const char* name,
                    std::complex<long double> (*exact)(const std::complex<long double>&),
                    std::complex<T> (*native)(const std::complex<T>&)) {
  const auto function = reinterpret_cast<C (*)(C)>(dlsym(library, name));
  if (function == nullptr)
    return fail<T>(name, {}, {}, {});
  for (int i = 0; i < 20000; ++i) {
    const std::complex<T> z = sample<T>(i % 5), got = from_c(function(to_c(z)));
    const std::complex<long double> expected = exact(std::complex<long double>(z));
    if (distance_in_ulps(got.real(), expected.real()) > LIMIT ||
        distance_in_ulps(got.imag(), expected.imag()) > LIMIT)
      fail(name, z, got, expected);
  }
  constexpr T infinite = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const T parts[] = {0, -T(0), 1, -1, T(2.5), T(-0.25), infinite, -infinite, nan};
  for (const T real : parts)
    for (const T imaginary : parts) {
      const std::complex<T> z(real, imaginary), expected = native(z);
      std::complex<T> got = from_c(function(to_c(z)));
      // The standard leaves the sign of an infinity or a zero open beside what is no number.
      if (std::isnan(expected.real()))
        got.imag(std::copysign(got.imag(), expected.imag()));
      if (std::isnan(expected.imag()))
        got.real(std::copysign(got.real(), expected.real()));
      if (distance_in_ulps(got.real(), expected.real()) > LIMIT ||
          distance_in_ulps(got.imag(), expected.imag()) > LIMIT ||
          (!std::isnan(got.real()) && std::signbit(got.real()) != std::signbit(expected.real())) ||
          (!std::isnan(got.imag()) && std::signbit(got.imag()) != std::signbit(expected.imag())))
        fail(name, z, got, std::complex<long double>(expected));
    }
}

template <class T, class C>
void check_arithmetic(void* library, const std::string& suffix, double tolerance) {
  using operation = C (*)(T, T, T, T);
  const auto product = reinterpret_cast<operation>(dlsym(library, ("__mul" + suffix).c_str()));
  const auto quotient = reinterpret_cast<operation>(dlsym(library, ("__div" + suffix).c_str()));
  const double numbers[] = {0,        -0.0,      1,   -1,     2.5,   1e300, -1e-300,
                            INFINITY, -INFINITY, NAN, 5e-324, 1e308, 1e-30, -3e37};
  const auto is_close = [&](T a, T b) {
    return (std::isnan(a) && std::isnan(b)) || a == b || std::fabs(a - b) <= T(tolerance) * std::fabs(b);
  };
  for (const double a : numbers)
    for (const double b : numbers)
      for (const double c : numbers)
        for (const double d : numbers) {
          const std::complex<T> left{T(a), T(b)}, right{T(c), T(d)};
          volatile C x = to_c(left), y = to_c(right);
          const std::complex<T> expected[] = {from_c(x * y), from_c(x / y)};
          const std::complex<T> got[] = {from_c(product(T(a), T(b), T(c), T(d))),
                                         from_c(quotient(T(a), T(b), T(c), T(d)))};
          for (int i = 0; i < 2; ++i)
            if (!is_close(got[i].real(), expected[i].real()) || !is_close(got[i].imag(), expected[i].imag()))
              fail(i == 0 ? "product" : "quotient", right, got[i], std::complex<long double>(expected[i]));
        }
}

} // namespace

#define CHECK(name)                                                                                          \
  check_function<float, c_float>(library, "c" #name "f", std::name<long double>, std::name<float>);          \
  check_function<double, c_double>(library, "c" #name, std::name<long double>, std::name<double>);

int main(int, char** argv) {
  void* const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::printf("%s\n", dlerror());
    return 1;
  }
  // clang-format off
  CHECK(acos) CHECK(acosh) CHECK(asin) CHECK(asinh) CHECK(atan) CHECK(atanh) CHECK(cos) CHECK(cosh)
  CHECK(exp) CHECK(log) CHECK(sin) CHECK(sinh) CHECK(sqrt) CHECK(tan) CHECK(tanh)
      // clang-format on
      check_arithmetic<float, c_float>(library, "sc3", 1e-6);
  check_arithmetic<double, c_double>(library, "dc3", 1e-15);
  std::printf("%d wrong\n", failures);
  return failures != 0;
}
