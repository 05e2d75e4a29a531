// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

/// \file
/// Complex numbers for complex_library.cpp, and their exponential, logarithm, roots and hyperbolic and
/// circular functions.

namespace {

template <class T>
struct number {
  T real, imaginary;
};

constexpr double PI = 0x1.921fb54442d18p+1;
constexpr double LOG_2 = 0x1.62e42fefa39efp-1;

template <class T>
struct limits;
template <>
struct limits<float> {
  static constexpr float INFINITE = __builtin_inff(), NOT_A_NUMBER = __builtin_nanf("");
  /// The exponential function of more is no longer, or not precisely, a number; so is that of less than minus
  /// this.
  static constexpr float FAR = 80;
  /// From here on tanh is 1.
  static constexpr float FLAT = 12;
  /// Smaller magnitudes have lost digits; times GROWTH, whose logarithm follows, none has.
  static constexpr float SMALL = 0x1p-100f, GROWTH = 0x1p64f, LOG_GROWTH = float(64 * LOG_2);
};
template <>
struct limits<double> {
  static constexpr double INFINITE = __builtin_inf(), NOT_A_NUMBER = __builtin_nan("");
  static constexpr double FAR = 700;
  static constexpr double FLAT = 22;
  static constexpr double SMALL = 0x1p-960, GROWTH = 0x1p128, LOG_GROWTH = 128 * LOG_2;
};

#define FUNCTION(name)                                                                                       \
  float name(float x) {                                                                                      \
    return __builtin_##name##f(x);                                                                           \
  }                                                                                                          \
  double name(double x) {                                                                                    \
    return __builtin_##name(x);                                                                              \
  }
#define FUNCTION_OF_TWO(name)                                                                                \
  float name(float x, float y) {                                                                             \
    return __builtin_##name##f(x, y);                                                                        \
  }                                                                                                          \
  double name(double x, double y) {                                                                          \
    return __builtin_##name(x, y);                                                                           \
  }
FUNCTION(cos)
FUNCTION(cosh)
FUNCTION(exp)
FUNCTION(fabs)
FUNCTION(log)
FUNCTION(log1p)
FUNCTION(sin)
FUNCTION(sinh)
FUNCTION(sqrt)
FUNCTION(tan)
FUNCTION(tanh)
FUNCTION_OF_TWO(atan2)
FUNCTION_OF_TWO(copysign)
FUNCTION_OF_TWO(hypot)

template <class T>
bool is_nan(T x) {
  return x != x;
}
template <class T>
bool is_infinite(T x) {
  return fabs(x) == limits<T>::INFINITE;
}
template <class T>
bool is_finite(T x) {
  return fabs(x) < limits<T>::INFINITE;
}
template <class T>
T sign(T x) {
  return copysign(T(1), x);
}
/// i times z, and -i times z: most circular functions are hyperbolic ones turned by a right angle.
template <class T>
number<T> turned(number<T> z) {
  return {-z.imaginary, z.real};
}
template <class T>
number<T> turned_back(number<T> z) {
  return {z.imaginary, -z.real};
}

/// The product of \p factor and exp(x) cos(y), exp(x) sin(y): exp alone may be out of range where they are
/// not.
template <class T>
number<T> spiral(T factor, T x, T y) {
  const bool is_far = fabs(x) > limits<T>::FAR;
  const T growth = exp(is_far ? x / 2 : x), rest = is_far ? growth : 1;
  return {growth * factor * cos(y) * rest, growth * factor * sin(y) * rest};
}

template <class T>
number<T> exponential(number<T> z) {
  const auto [x, y] = z;
  constexpr T nan = limits<T>::NOT_A_NUMBER;
  if (y == 0)
    return {exp(x), y};
  if (is_finite(y))
    return spiral(T(1), x, y);
  if (is_infinite(x))
    return x < 0 ? number<T>{0, copysign(T(0), y)} : number<T>{x, nan};
  return {nan, nan};
}

template <class T>
number<T> hyperbolic_sine(number<T> z) {
  const auto [x, y] = z;
  constexpr T nan = limits<T>::NOT_A_NUMBER;
  if (y == 0)
    return {sinh(x), y};
  if (!is_finite(y))
    return {x == 0 || is_infinite(x) ? x : nan, nan};
  if (fabs(x) > limits<T>::FAR) {
    const number<T> half = spiral(T(0.5), fabs(x), y);
    return {sign(x) * half.real, half.imaginary};
  }
  return {sinh(x) * cos(y), cosh(x) * sin(y)};
}

template <class T>
number<T> hyperbolic_cosine(number<T> z) {
  const auto [x, y] = z;
  constexpr T nan = limits<T>::NOT_A_NUMBER;
  if (y == 0)
    return {cosh(x), sign(x) * y};
  if (!is_finite(y))
    return {is_infinite(x) ? fabs(x) : nan, x == 0 ? x : nan};
  if (fabs(x) > limits<T>::FAR) {
    const number<T> half = spiral(T(0.5), fabs(x), y);
    return {half.real, sign(x) * half.imaginary};
  }
  return {cosh(x) * cos(y), sinh(x) * sin(y)};
}

/// By tan(y) and sinh(x), of which no difference is taken.
template <class T>
number<T> hyperbolic_tangent(number<T> z) {
  const auto [x, y] = z;
  constexpr T nan = limits<T>::NOT_A_NUMBER;
  if (is_infinite(x))
    return {sign(x), copysign(T(0), is_finite(y) ? sin(y) * cos(y) : y)};
  if (y == 0)
    return {tanh(x), y};
  if (!is_finite(y))
    return {x == 0 ? x : nan, nan};
  if (fabs(x) > limits<T>::FLAT) {
    const T decay = exp(-fabs(x));
    return {sign(x), 4 * sin(y) * cos(y) * decay * decay};
  }
  const T t = tan(y), s = sinh(x), slope = 1 + t * t, divisor = 1 + slope * s * s;
  return {slope * sqrt(1 + s * s) * s / divisor, t / divisor};
}

/// p + q - 1, of a sum near 1, with what two roundings lose, and \p rest.
double sum_minus_one(double p, double q, double rest) {
  const double less = p - 1, sum = less + q, taken = sum - less;
  return sum + ((p - (less + 1)) + (less - (sum - taken)) + (q - taken) + rest);
}
/// x² + y² - 1, of parts of at least 0.
double squares_minus_one(float x, float y) {
  const double a = x, b = y;
  return a < b ? sum_minus_one(b * b, a * a, 0) : sum_minus_one(a * a, b * b, 0); // squares are exact
}
double squares_minus_one(double x, double y) {
  const double p = x * x, q = y * y, rest = __builtin_fma(x, x, -p) + __builtin_fma(y, y, -q);
  return p < q ? sum_minus_one(q, p, rest) : sum_minus_one(p, q, rest);
}

template <class T>
T log_of_magnitude(T x, T y) {
  const T magnitude = hypot(x, y);
  if (magnitude > T(0.75) && magnitude < T(1.25))
    return T(0.5) * log1p(T(squares_minus_one(fabs(x), fabs(y))));
  if (magnitude < limits<T>::SMALL)
    return log(hypot(x * limits<T>::GROWTH, y * limits<T>::GROWTH)) - limits<T>::LOG_GROWTH;
  if (is_infinite(magnitude) && is_finite(x) && is_finite(y))
    return log(hypot(x / 2, y / 2)) + T(LOG_2);
  return log(magnitude);
}
template <class T>
number<T> logarithm(number<T> z) {
  return {log_of_magnitude(z.real, z.imaginary), atan2(z.imaginary, z.real)};
}

number<double> square_root(number<double> z) {
  auto [x, y] = z;
  if (is_infinite(y))
    return {fabs(y), y};
  if (x == 0 && y == 0)
    return {0, y};
  if (is_infinite(x) && x > 0)
    return {x, is_nan(y) ? y : copysign(0.0, y)};
  if (is_infinite(x))
    return {fabs(y - y), copysign(-x, y)}; // 0 or no number
  // So that neither the magnitude overflows nor its half loses digits.
  const double larger = fabs(x) < fabs(y) ? fabs(y) : fabs(x);
  const double scale = larger > 0x1p1020 ? 0x1p-4 : larger < 0x1p-960 ? 0x1p120 : 1;
  const double back = larger > 0x1p1020 ? 0x1p2 : larger < 0x1p-960 ? 0x1p-60 : 1;
  x *= scale;
  y *= scale;
  const double root = sqrt(0.5 * (fabs(x) + hypot(x, y)));
  const double other = y / (2 * root);
  return x >= 0 ? number<double>{root * back, other * back}
                : number<double>{fabs(other) * back, copysign(root, y) * back};
}

template <class T>
number<T> sine(number<T> z) {
  return turned_back(hyperbolic_sine(turned(z)));
}
template <class T>
number<T> cosine(number<T> z) {
  return hyperbolic_cosine(turned(z));
}
template <class T>
number<T> tangent(number<T> z) {
  return turned_back(hyperbolic_tangent(turned(z)));
}

} // namespace
