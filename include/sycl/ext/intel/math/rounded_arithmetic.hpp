// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/bit_cast.hpp"
#include "sycl/detail/vec_convert.hpp"
#include "sycl/ext/intel/math/rounded_double.hpp"

#include <cstdint>

/// \file
/// Arithmetic of sycl::ext::intel::math with a rounding mode, as CUDA names it: _rn to nearest even, _rz
/// towards zero, _ru up, _rd down. It has no document. The results are exact on every device: GPUs have
/// instructions for them; processors have one rounding mode for all of a thread, so floats are computed in
/// double, whose last bit says whether anything is missing (rounding to odd), and rounded once, unless it is
/// to nearest; of doubles see rounded_double.hpp.

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
  if constexpr (Mode == rounding_mode::rte) {
#pragma clang fp reassociate(off) contract(off)
    return a + b;
  }
  const double sum = double(a) + double(b);
  return signed_zero<Mode>(rounded<Mode>(to_odd(sum, missing_of_sum(a, b, sum))), a, b);
}
template <rounding_mode Mode>
inline float multiply(float a, float b) {
  if constexpr (Mode == rounding_mode::rte) {
#pragma clang fp reassociate(off) contract(off)
    return a * b;
  }
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
  if constexpr (Mode == rounding_mode::rte) {
#pragma clang fp reciprocal(off)
    return a / b;
  }
  const double quotient = double(a) / double(b);
  if (quotient - quotient != 0 || b - b != 0)
    return rounded<Mode>(quotient);
  const double rest = __builtin_fma(-quotient, double(b), double(a));
  return rounded<Mode>(to_odd(quotient, b < 0 ? -rest : rest));
}
template <rounding_mode Mode>
inline float square_root(float a) {
  if constexpr (Mode == rounding_mode::rte)
    return __builtin_sqrtf(a);
  const double root = __builtin_sqrt(double(a));
  if (!(root - root == 0))
    return rounded<Mode>(root);
  return rounded<Mode>(to_odd(root, __builtin_fma(-root, root, double(a))));
}

} // namespace detail

/// GPUs have instructions for these, by whose names the JIT knows them
/// (jit/targets/ptx/native_functions.cpp).
#define FALX_ROUNDED_FUNCTION(type, name, parameters, ...)                                                   \
  inline type name parameters noexcept __asm__("falx." #name);                                               \
  inline type name parameters noexcept {                                                                     \
    return detail::__VA_ARGS__;                                                                              \
  }
#define FALX_ROUNDED(suffix, mode)                                                                           \
  FALX_ROUNDED_OF(float, fadd, fsub, fmul, fmaf, fdiv, frcp, fsqrt, suffix, rounding_mode::mode)             \
  FALX_ROUNDED_OF(double, dadd, dsub, dmul, fma, ddiv, drcp, dsqrt, suffix, rounding_mode::mode)
#define FALX_ROUNDED_OF(type, add_, sub_, mul_, fma_, div_, rcp_, sqrt_, suffix, mode)                       \
  FALX_ROUNDED_FUNCTION(type, add_##suffix, (type x, type y), add<mode>(x, y))                               \
  FALX_ROUNDED_FUNCTION(type, sub_##suffix, (type x, type y), add<mode>(x, -y))                              \
  FALX_ROUNDED_FUNCTION(type, mul_##suffix, (type x, type y), multiply<mode>(x, y))                          \
  FALX_ROUNDED_FUNCTION(type, fma_##suffix, (type x, type y, type z), multiply_add<mode>(x, y, z))           \
  FALX_ROUNDED_FUNCTION(type, div_##suffix, (type x, type y), divide<mode>(x, y))                            \
  FALX_ROUNDED_FUNCTION(type, rcp_##suffix, (type x), divide<mode>(type(1), x))                              \
  FALX_ROUNDED_FUNCTION(type, sqrt_##suffix, (type x), square_root<mode>(x))
FALX_ROUNDED(_rn, rte)
FALX_ROUNDED(_rz, rtz)
FALX_ROUNDED(_ru, rtp)
FALX_ROUNDED(_rd, rtn)
#undef FALX_ROUNDED_OF
#undef FALX_ROUNDED
#undef FALX_ROUNDED_FUNCTION

} // namespace sycl::ext::intel::math
