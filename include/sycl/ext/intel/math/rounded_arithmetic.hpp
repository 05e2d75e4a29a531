// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/bit_cast.hpp"
#include "sycl/detail/vec_convert.hpp"
#include "sycl/ext/intel/math/rounded_double.hpp"

#include <cstdint>

/// \file
/// Arithmetic of sycl::ext::intel::math with a rounding mode, as CUDA names it: _rn to nearest even, _rz
/// towards zero, _ru up, _rd down. It has no document. The results are exact on every device: processors have
/// one rounding mode for all of a thread, so floats are computed in double, whose last bit says whether
/// anything is missing (rounding to odd), and rounded once; of doubles see rounded_double.hpp.

namespace sycl::ext::intel::math {

namespace detail {

/// \p rounded, to nearest, with the sign of what is missing to the exact value: to odd.
inline double to_odd(double rounded, double missing) {
  const auto bits = sycl::bit_cast<std::uint64_t>(rounded);
  if (missing == 0 || (bits & 1) != 0 || missing != missing || rounded - rounded != 0)
    return rounded;
  if (rounded == 0) // what is missing is less than the smallest double
    return sycl::bit_cast<double>((std::uint64_t{missing < 0} << 63) | 1);
  const bool grows = (missing > 0) == (rounded > 0);
  return sycl::bit_cast<double>(grows ? bits + 1 : bits - 1);
}

template <rounding_mode Mode>
inline float rounded(double value) {
  return sycl::detail::convert_element<float, Mode>(value);
}

template <rounding_mode Mode>
inline float add(float a, float b) {
  const double sum = double(a) + double(b);
  return signed_zero<Mode>(rounded<Mode>(to_odd(sum, missing_of_sum(a, b, sum))), a, b);
}
template <rounding_mode Mode>
inline float multiply(float a, float b) {
  return rounded<Mode>(double(a) * double(b)); // which is exact
}
template <rounding_mode Mode>
inline float multiply_add(float a, float b, float c) {
  const double product = double(a) * double(b);
  const double sum = product + double(c);
  const float result = rounded<Mode>(to_odd(sum, missing_of_sum(product, c, sum)));
  return sum == 0 ? static_cast<float>(signed_zero<Mode>(sum, product, double(c))) : result;
}
template <rounding_mode Mode>
inline float divide(float a, float b) {
  const double quotient = double(a) / double(b);
  if (quotient - quotient != 0 || b - b != 0)
    return rounded<Mode>(quotient);
  const double rest = __builtin_fma(-quotient, double(b), double(a));
  return rounded<Mode>(to_odd(quotient, b < 0 ? -rest : rest));
}
template <rounding_mode Mode>
inline float square_root(float a) {
  const double root = __builtin_sqrt(double(a));
  if (!(root - root == 0))
    return rounded<Mode>(root);
  return rounded<Mode>(to_odd(root, __builtin_fma(-root, root, double(a))));
}

} // namespace detail

#define FALX_ROUNDED(suffix, mode)                                                                           \
  inline float fadd##suffix(float x, float y) {                                                              \
    return detail::add<rounding_mode::mode>(x, y);                                                           \
  }                                                                                                          \
  inline float fsub##suffix(float x, float y) {                                                              \
    return detail::add<rounding_mode::mode>(x, -y);                                                          \
  }                                                                                                          \
  inline float fmul##suffix(float x, float y) {                                                              \
    return detail::multiply<rounding_mode::mode>(x, y);                                                      \
  }                                                                                                          \
  inline float fmaf##suffix(float x, float y, float z) {                                                     \
    return detail::multiply_add<rounding_mode::mode>(x, y, z);                                               \
  }                                                                                                          \
  inline float fdiv##suffix(float x, float y) {                                                              \
    return detail::divide<rounding_mode::mode>(x, y);                                                        \
  }                                                                                                          \
  inline float frcp##suffix(float x) {                                                                       \
    return detail::divide<rounding_mode::mode>(1.0f, x);                                                     \
  }                                                                                                          \
  inline float fsqrt##suffix(float x) {                                                                      \
    return detail::square_root<rounding_mode::mode>(x);                                                      \
  }                                                                                                          \
  inline double dadd##suffix(double x, double y) {                                                           \
    return detail::add<rounding_mode::mode>(x, y);                                                           \
  }                                                                                                          \
  inline double dsub##suffix(double x, double y) {                                                           \
    return detail::add<rounding_mode::mode>(x, -y);                                                          \
  }                                                                                                          \
  inline double dmul##suffix(double x, double y) {                                                           \
    return detail::multiply<rounding_mode::mode>(x, y);                                                      \
  }                                                                                                          \
  inline double fma##suffix(double x, double y, double z) {                                                  \
    return detail::multiply_add<rounding_mode::mode>(x, y, z);                                               \
  }                                                                                                          \
  inline double ddiv##suffix(double x, double y) {                                                           \
    return detail::divide<rounding_mode::mode>(x, y);                                                        \
  }                                                                                                          \
  inline double drcp##suffix(double x) {                                                                     \
    return detail::divide<rounding_mode::mode>(1.0, x);                                                      \
  }                                                                                                          \
  inline double dsqrt##suffix(double x) {                                                                    \
    return detail::square_root<rounding_mode::mode>(x);                                                      \
  }
FALX_ROUNDED(_rn, rte)
FALX_ROUNDED(_rz, rtz)
FALX_ROUNDED(_ru, rtp)
FALX_ROUNDED(_rd, rtn)
#undef FALX_ROUNDED

} // namespace sycl::ext::intel::math
