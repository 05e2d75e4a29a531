// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

/// \file
/// The functions of one argument with their references, and how far off a result is. For the tests of math on
/// the host and on devices.

inline constexpr long double pi = 3.14159265358979323846264338327950288L;

/// Distance of a result from the exact value in units in the last place of T.
template <class T>
long double ulps(T result, long double exact) {
  const long double value = static_cast<long double>(result);
  if (std::isnan(exact) || std::isnan(value))
    return std::isnan(exact) == std::isnan(value) ? 0 : 1e9L;
  if (value == exact)
    return 0;
  const long double largest = static_cast<long double>(std::numeric_limits<T>::max());
  if (std::isinf(value) || std::isinf(exact))
    return (value > 0) == (exact > 0) && std::fabs(exact) > largest && std::isinf(value) ? 0 : 1e9L;
  const int lowest = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
  const int exponent = exact == 0 ? lowest : std::ilogb(exact) - std::numeric_limits<T>::digits + 1;
  return std::fabs(value - exact) / std::ldexp(1.0L, std::max(exponent, lowest));
}

template <class T>
std::vector<T> samples(long double from, long double to) {
  std::vector<T> values;
  for (int i = 0; i <= 1000; ++i)
    values.push_back(static_cast<T>(static_cast<double>(from + (to - from) * i / 1000)));
  return values;
}

/// X(function, reference of the long double x, from, to, limit in units in the last place) for all functions
/// of one argument that give a floating-point number (SYCL 2020 table 175 and OpenCL C's limits).
#define ELEMENTARY_FUNCTIONS(X)                                                                              \
  X(acos, std::acos(x), -1, 1, 4)                                                                            \
  X(acosh, std::acosh(x), 1, 100, 4)                                                                         \
  X(acospi, std::acos(x) / pi, -1, 1, 5)                                                                     \
  X(asin, std::asin(x), -1, 1, 4)                                                                            \
  X(asinh, std::asinh(x), -50, 50, 4)                                                                        \
  X(asinpi, std::asin(x) / pi, -1, 1, 5)                                                                     \
  X(atan, std::atan(x), -50, 50, 5)                                                                          \
  X(atanh, std::atanh(x), -0.99L, 0.99L, 5)                                                                  \
  X(atanpi, std::atan(x) / pi, -50, 50, 5)                                                                   \
  X(cbrt, std::cbrt(x), -1000, 1000, 2)                                                                      \
  X(ceil, std::ceil(x), -20, 20, 0)                                                                          \
  X(cos, std::cos(x), -10, 10, 4)                                                                            \
  X(cosh, std::cosh(x), -10, 10, 4)                                                                          \
  X(erf, std::erf(x), -4, 4, 16)                                                                             \
  X(erfc, std::erfc(x), -4, 4, 16)                                                                           \
  X(exp, std::exp(x), -10, 10, 3)                                                                            \
  X(exp2, std::exp2(x), -12, 14, 3)                                                                          \
  X(exp10, std::pow(10.0L, x), -4, 4, 3)                                                                     \
  X(expm1, std::expm1(x), -4, 4, 3)                                                                          \
  X(fabs, std::fabs(x), -4, 4, 0)                                                                            \
  X(floor, std::floor(x), -20, 20, 0)                                                                        \
  X(log, std::log(x), 0, 100, 3)                                                                             \
  X(log2, std::log2(x), 0, 100, 3)                                                                           \
  X(log10, std::log10(x), 0, 100, 3)                                                                         \
  X(log1p, std::log1p(x), -0.9L, 100, 2)                                                                     \
  X(logb, std::logb(x), 0, 100, 0)                                                                           \
  X(rint, std::nearbyint(x), -20, 20, 0)                                                                     \
  X(round, std::round(x), -20, 20, 0)                                                                        \
  X(rsqrt, 1 / std::sqrt(x), 0.001L, 100, 2)                                                                 \
  X(sin, std::sin(x), -10, 10, 4)                                                                            \
  X(sinh, std::sinh(x), -10, 10, 4)                                                                          \
  X(sqrt, std::sqrt(x), 0, 100, 1)                                                                           \
  X(tan, std::tan(x), -1.5L, 1.5L, 5)                                                                        \
  X(tanh, std::tanh(x), -5, 5, 5)                                                                            \
  X(tgamma, std::tgamma(x), 0.5L, 8, 16)                                                                     \
  X(trunc, std::trunc(x), -20, 20, 0)

/// Function number \p which of these, as a kernel computes it; x if there are not so many.
template <class T>
T elementary(std::size_t which, T x) {
  std::size_t index = 0;
#define CALL(function, reference, from, to, limit)                                                           \
  if (which == index++)                                                                                      \
    return sycl::function(x);
  ELEMENTARY_FUNCTIONS(CALL)
#undef CALL
  return x;
}
