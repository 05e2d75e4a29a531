// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "complex_functions.hpp"

/// \file
/// Inverses of the circular and hyperbolic functions of complex numbers.

namespace {

/// Of a number with parts of at least 0, which are no infinities: the inverse sine, or the inverse cosine
/// whose imaginary part is at least 0. T. E. Hull, T. F. Fairgrieve, P. T. P. Tang: Implementing the complex
/// arcsine and arccosine functions using exception handling, ACM TOMS 23 (1997).
number<double> arc_of_extreme(double x, double y, bool is_cosine) {
  constexpr double least = 0x1p-509, epsilon = 0x1p-52;
  const double above = x + 1, below = x - 1;
  if (below == 0 && y <= least)
    return {is_cosine ? sqrt(y) : PI / 2 - sqrt(y), sqrt(y)};
  if (y <= epsilon * fabs(below)) {
    if (x < 1)
      return {is_cosine ? __builtin_acos(x) : __builtin_asin(x), y / sqrt(above * -below)};
    const bool is_huge = x > 0x1p500;
    const double root = is_huge ? x : sqrt(below) * sqrt(above);
    return {is_cosine ? y / root : PI / 2, is_huge ? LOG_2 + log(x) : log1p(below + root)};
  }
  if (epsilon * y - 1 >= x)
    return {is_cosine ? PI / 2 : x / y, LOG_2 + log(y)};
  if (x > 1) {
    const double ratio = x / y;
    return {atan2(is_cosine ? y : x, is_cosine ? x : y), LOG_2 + log(y) + 0.5 * log1p(ratio * ratio)};
  }
  const double a = sqrt(1 + y * y);
  return {is_cosine ? PI / 2 : x / a, 0.5 * log1p(2 * y * (y + a))};
}
number<double> arc(double x, double y, bool is_cosine) {
  constexpr double most = 0x1p508, least = 0x1p-509;
  if (x >= most || x <= least || y >= most || y <= least)
    return arc_of_extreme(x, y, is_cosine);
  const double r = hypot(x + 1, y), s = hypot(x - 1, y), a = 0.5 * (r + s), b = x / a;
  // Distances to the points 1 and -1, less what they have in common with the real axis.
  const double to_right = x < 1 ? s + (1 - x) : y * y / (s + (x - 1));
  const double to_left = y * y / (r + (x + 1));
  number<double> result;
  if (b <= 0.6417)
    result.real = is_cosine ? __builtin_acos(b) : __builtin_asin(b);
  else {
    const double height = sqrt(0.5 * (a + x) * (to_left + to_right));
    const double wide = y * sqrt(0.5 * ((a + x) / (r + x + 1) + (a + x) / (s + (x - 1))));
    const double opposite = x <= 1 ? height : wide;
    result.real = is_cosine ? atan2(opposite, x) : atan2(x, opposite);
  }
  if (a <= 1.5) {
    const double more = 0.5 * (to_left + (x < 1 ? y * y / (s + (1 - x)) : s + (x - 1)));
    result.imaginary = log1p(more + sqrt(more * (a + 1)));
  } else {
    result.imaginary = log(a + sqrt(a * a - 1));
  }
  return result;
}

/// The same of all numbers with parts that are not negative.
number<double> arc_of_any(double x, double y, bool is_cosine) {
  constexpr double nan = limits<double>::NOT_A_NUMBER, infinite = limits<double>::INFINITE;
  const double on_real_axis = is_cosine ? 0 : PI / 2, on_imaginary_axis = PI / 2 - on_real_axis;
  if (is_finite(x) && is_finite(y))
    return arc(x, y, is_cosine);
  if (is_infinite(x))
    return {is_nan(y) ? nan : is_infinite(y) ? PI / 4 : on_real_axis, infinite};
  if (is_infinite(y))
    return {is_nan(x) ? nan : on_imaginary_axis, infinite};
  return {x == 0 ? on_imaginary_axis : nan, nan};
}
number<double> inverse_sine(number<double> z) {
  const auto [real, imaginary] = arc_of_any(fabs(z.real), fabs(z.imaginary), false);
  return {copysign(real, z.real), copysign(imaginary, z.imaginary)};
}
number<double> inverse_cosine(number<double> z) {
  const auto [real, imaginary] = arc_of_any(fabs(z.real), fabs(z.imaginary), true);
  return {z.real < 0 || (1 / z.real < 0 && z.real == 0) ? PI - real : real,
          -copysign(imaginary, z.imaginary)};
}

number<double> inverse_hyperbolic_tangent(number<double> z) {
  constexpr double nan = limits<double>::NOT_A_NUMBER, large = 0x1p55;
  const double x = fabs(z.real), y = fabs(z.imaginary);
  number<double> result;
  if (is_infinite(y) || (is_infinite(x) && !is_nan(y))) {
    result = {0, PI / 2};
  } else if (is_nan(x) || is_nan(y)) {
    result = {x == 0 || is_infinite(x) ? 0 : nan, nan};
  } else if (x > large || y > large) {
    const double ratio = x > y ? y / x : x / y;
    result = {(x > y ? 1 / x : ratio / y) / (1 + ratio * ratio), PI / 2};
  } else {
    const double rest = 1 - x;
    result.real =
        rest == 0 && y < 0x1p-500 ? 0.5 * (LOG_2 - log(y)) : 0.25 * log1p(4 * x / (rest * rest + y * y));
    result.imaginary = 0.5 * atan2(2 * y, rest * (1 + x) - y * y);
  }
  return {copysign(result.real, z.real), copysign(result.imaginary, z.imaginary)};
}

number<double> inverse_hyperbolic_cosine(number<double> z) {
  const auto [real, imaginary] = inverse_cosine(z);
  return {fabs(imaginary), copysign(real, z.imaginary)};
}
number<double> inverse_hyperbolic_sine(number<double> z) {
  return turned(inverse_sine(turned_back(z)));
}
number<double> inverse_tangent(number<double> z) {
  return turned_back(inverse_hyperbolic_tangent(turned(z)));
}

} // namespace
