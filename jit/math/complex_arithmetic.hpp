// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "complex_functions.hpp"

/// \file
/// Products, quotients and powers of complex numbers.

namespace {

/// Of an infinite number: its direction. Of others: zero.
template <class T>
T boxed(T x) {
  return copysign(is_infinite(x) ? T(1) : T(0), x);
}
template <class T>
T zero_if_nan(T x) {
  return is_nan(x) ? copysign(T(0), x) : x;
}

/// §G.5.1: an infinity times what is not zero is an infinity.
template <class T>
number<T> product(T a, T b, T c, T d) {
  const T ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  const number<T> plain = {ac - bd, ad + bc};
  if (!is_nan(plain.real) || !is_nan(plain.imaginary))
    return plain;
  const bool is_left = is_infinite(a) || is_infinite(b), is_right = is_infinite(c) || is_infinite(d);
  const bool is_between = is_infinite(ac) || is_infinite(bd) || is_infinite(ad) || is_infinite(bc);
  if (!is_left && !is_right && !is_between)
    return plain;
  a = zero_if_nan(is_left ? boxed(a) : a);
  b = zero_if_nan(is_left ? boxed(b) : b);
  c = zero_if_nan(is_right ? boxed(c) : c);
  d = zero_if_nan(is_right ? boxed(d) : d);
  constexpr T infinite = limits<T>::INFINITE;
  return {infinite * (a * c - b * d), infinite * (a * d + b * c)};
}

/// The binary exponent of a finite number other than 0.
int exponent_of(double x) {
  unsigned long bits;
  __builtin_memcpy(&bits, &x, sizeof(bits));
  const int exponent = int(bits >> 52 & 0x7ff);
  if (exponent != 0)
    return exponent - 1023;
  return -1011 - __builtin_clzl(bits & 0xfffffffffffffUL);
}
double power_of_two(int exponent) {
  const unsigned long bits = static_cast<unsigned long>(exponent + 1023) << 52;
  double result;
  __builtin_memcpy(&result, &bits, sizeof(result));
  return result;
}
/// In halves, as a power may be out of range where the result is not.
template <class T>
T scaled(T x, int exponent) {
  const int half = exponent / 2;
  return static_cast<T>(x * power_of_two(half) * power_of_two(exponent - half));
}

template <class T>
number<T> quotient(T a, T b, T c, T d) {
  const T larger = fabs(c) < fabs(d) || is_nan(c) ? fabs(d) : fabs(c);
  int exponent = 0;
  if (is_finite(larger) && larger != 0) {
    exponent = -exponent_of(larger);
    c = scaled(c, exponent);
    d = scaled(d, exponent);
  }
  const T square = c * c + d * d;
  const number<T> plain = {scaled((a * c + b * d) / square, exponent),
                           scaled((b * c - a * d) / square, exponent)};
  if (!is_nan(plain.real) || !is_nan(plain.imaginary))
    return plain;
  constexpr T infinite = limits<T>::INFINITE;
  if (square == 0 && (!is_nan(a) || !is_nan(b)))
    return {copysign(infinite, c) * a, copysign(infinite, c) * b};
  if ((is_infinite(a) || is_infinite(b)) && is_finite(c) && is_finite(d)) {
    a = boxed(a);
    b = boxed(b);
    return {infinite * (a * c + b * d), infinite * (b * c - a * d)};
  }
  if (is_infinite(larger) && is_finite(a) && is_finite(b)) {
    c = boxed(c);
    d = boxed(d);
    return {0 * (a * c + b * d), 0 * (b * c - a * d)};
  }
  return plain;
}

number<double> power(number<double> base, number<double> exponent) {
  const number<double> log = logarithm(base);
  return exponential(product(exponent.real, exponent.imaginary, log.real, log.imaginary));
}

template <class T>
number<T> projection(number<T> z) {
  if (is_infinite(z.real) || is_infinite(z.imaginary))
    return {limits<T>::INFINITE, copysign(T(0), z.imaginary)};
  return z;
}

} // namespace
