// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/bit_cast.hpp"
#include "sycl/detail/vec_convert.hpp"

#include <cstdint>

/// \file
/// Arithmetic of double with a rounding mode: the result to nearest, and a step of its last place where the
/// sign of what is missing to the exact value says so. Where a remainder could underflow, numbers are scaled
/// by powers of two, which leaves signs alone.

namespace sycl::ext::intel::math::detail {

/// What is missing from a + b, exactly, unless it is infinite.
inline double missing_of_sum(double a, double b, double sum) {
#pragma clang fp reassociate(off) contract(off)
  const double of_b = sum - a, of_a = sum - of_b;
  return (a - of_a) + (b - of_b);
}

/// An exact sum of 0 of numbers that are not is -0 when rounded down (IEEE 754, 6.3).
template <rounding_mode Mode, class T>
inline T signed_zero(T sum, T a, T b) {
  if constexpr (Mode == rounding_mode::rtn)
    if (sum == 0 && (a != 0 || __builtin_signbit(a) != __builtin_signbit(b)))
      return T(-0.0);
  return sum;
}

inline bool is_finite(double x) {
  return x - x == 0;
}
/// 1 or -1.
inline double sign_of(double x) {
  return __builtin_copysign(1.0, x);
}

/// One step of the last place from what was rounded to nearest, if something is missing in that direction.
template <rounding_mode Mode>
inline double directed(double nearest, double missing) {
  if constexpr (Mode == rounding_mode::rte)
    return nearest;
  const bool up =
      Mode == rounding_mode::rtp ? missing > 0 : Mode == rounding_mode::rtz && nearest < 0 && missing > 0;
  const bool down =
      Mode == rounding_mode::rtn ? missing < 0 : Mode == rounding_mode::rtz && nearest > 0 && missing < 0;
  if (!up && !down)
    return nearest;
  if (nearest == 0) // the smallest double
    return sycl::bit_cast<double>((std::uint64_t{down} << 63) | 1);
  const auto bits = sycl::bit_cast<std::uint64_t>(nearest);
  return sycl::bit_cast<double>(up == (nearest > 0) ? bits + 1 : bits - 1);
}
/// Of finite numbers whose result is infinite to nearest: that, or the largest number.
template <rounding_mode Mode>
inline double overflowed(double infinity) {
  return directed<Mode>(infinity, -sign_of(infinity));
}

template <rounding_mode Mode>
inline double add(double a, double b) {
#pragma clang fp reassociate(off) contract(off)
  const double sum = a + b;
  if (!is_finite(sum))
    return is_finite(a) && is_finite(b) ? overflowed<Mode>(sum) : sum;
  // Sums that underflow are exact. Half of both does not overflow on the way; of a number that is far below
  // the last place of a large sum the sign alone counts.
  const auto half_of = [](double x) {
    return x != 0 && __builtin_fabs(x) < 0x1p-900 ? __builtin_copysign(0x1p-900, x) : x / 2;
  };
  const bool is_large = __builtin_fabs(sum) > 0x1p1022;
  const double missing =
      is_large ? missing_of_sum(half_of(a), half_of(b), sum / 2) : missing_of_sum(a, b, sum);
  return signed_zero<Mode>(directed<Mode>(sum, missing), a, b);
}

/// The sign of a * b - product, where that is the product to nearest and not 0.
inline double missing_of_product(double a, double b, double product) {
  if (__builtin_fabs(product) >= 0x1p-900)
    return __builtin_fma(a, b, -product);
  // One of both is below 2^-450.
  const bool a_is_small = __builtin_fabs(a) < __builtin_fabs(b);
  return __builtin_fma(a_is_small ? a * 0x1p1000 : a, a_is_small ? b : b * 0x1p1000, -(product * 0x1p1000));
}

template <rounding_mode Mode>
inline double multiply(double a, double b) {
#pragma clang fp reassociate(off) contract(off)
  const double product = a * b;
  if (!is_finite(product))
    return is_finite(a) && is_finite(b) ? overflowed<Mode>(product) : product;
  if (a == 0 || b == 0)
    return product;
  return directed<Mode>(product, product == 0 ? sign_of(product) : missing_of_product(a, b, product));
}

template <rounding_mode Mode>
inline double divide(double a, double b) {
#pragma clang fp reciprocal(off)
  const double quotient = a / b;
  if (!is_finite(quotient))
    return is_finite(a) && is_finite(b) && b != 0 ? overflowed<Mode>(quotient) : quotient;
  if (a == 0 || !is_finite(b))
    return quotient;
  if (quotient == 0)
    return directed<Mode>(quotient, sign_of(quotient));
  return directed<Mode>(quotient, -missing_of_product(quotient, b, a) * sign_of(b));
}

template <rounding_mode Mode>
inline double square_root(double a) {
  const double root = __builtin_sqrt(a);
  if (!is_finite(root) || root == 0)
    return root;
  return directed<Mode>(root, -missing_of_product(root, root, a));
}

/// A number as significand, from 1 to 2, times 2 to the exponent. Not of 0.
struct scaled_double {
  double significand;
  int exponent;

  explicit scaled_double(double x) {
    const bool is_subnormal = __builtin_fabs(x) < 0x1p-1022;
    const auto bits = sycl::bit_cast<std::uint64_t>(is_subnormal ? x * 0x1p54 : x);
    exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023 - (is_subnormal ? 54 : 0);
    significand = sycl::bit_cast<double>((bits & 0x800fffffffffffff) | 0x3ff0000000000000);
  }
  /// Times 2 to \p shift, which leaves the number normal.
  double shifted(int shift) const {
    return significand * sycl::bit_cast<double>(static_cast<std::uint64_t>(exponent + shift + 1023) << 52);
  }
};

/// A sum of doubles, exactly: parts that do not overlap, the largest last, so that one has the sum's sign
/// (Shewchuk, Adaptive Precision Floating-Point Arithmetic, 1997).
struct exact_sum {
  double parts[4] = {};

  void add(double term) {
#pragma clang fp reassociate(off) contract(off)
    for (double& part : parts) {
      const double sum = part + term;
      part = missing_of_sum(part, term, sum);
      term = sum;
    }
    // The smallest part is 0 as long as there are no more terms than parts.
    for (int i = 0; i < 3; ++i)
      parts[i] = parts[i + 1];
    parts[3] = term;
  }
  double sign() const {
    for (int i = 3; i > 0; --i)
      if (parts[i] != 0)
        return parts[i];
    return parts[0];
  }
};

/// The sign of a * b + c - sum, where that is it to nearest; a, b and c are not 0.
inline double missing_of_fma(double a, double b, double c, double sum) {
  const scaled_double x(a), y(b), z(c);
  const int scale = -x.exponent - y.exponent;
  if (z.exponent + scale > 56) // sum is c
    return sign_of(a) * sign_of(b);
  exact_sum rest;
  const double product = x.significand * y.significand;
  rest.add(__builtin_fma(x.significand, y.significand, -product));
  rest.add(product);
  // Where c is below all bits of the product, its sign alone counts.
  rest.add(z.exponent + scale < -110 ? __builtin_copysign(0x1p-200, c) : z.shifted(scale));
  if (sum != 0)
    rest.add(-scaled_double(sum).shifted(scale));
  return rest.sign();
}

template <rounding_mode Mode>
inline double multiply_add(double a, double b, double c) {
  const double sum = __builtin_fma(a, b, c);
  if (!is_finite(sum))
    return is_finite(a) && is_finite(b) && is_finite(c) ? overflowed<Mode>(sum) : sum;
  if (a == 0 || b == 0)
    return signed_zero<Mode>(sum, a * b, c);
  if (c == 0)
    return multiply<Mode>(a, b);
  const double missing = missing_of_fma(a, b, c, sum);
  if (missing == 0)
    return signed_zero<Mode>(sum, a, b);
  return directed<Mode>(sum, missing);
}

} // namespace sycl::ext::intel::math::detail
