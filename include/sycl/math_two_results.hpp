// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/math_floating_point.hpp"

#include <type_traits>

/// \file
/// The math functions with a second result, written through a raw pointer or a multi_ptr (SYCL 2020 §4.17.4).
/// Both results are pure functions of the argument, so that loops over them vectorise.

namespace sycl {

// A row: the function, what it returns, the element type it writes (E: that of the argument) and what it
// writes.
#define FALX_MATH_POINTER(name, returned, Written, written)                                                  \
  template <class Ptr, detail::if_writes_to<Ptr, detail::written_type<float, Written>> = 0>                  \
  inline float name(float x, Ptr pointer) {                                                                  \
    *pointer = written;                                                                                      \
    return returned;                                                                                         \
  }                                                                                                          \
  template <class Ptr, detail::if_writes_to<Ptr, detail::written_type<double, Written>> = 0>                 \
  inline double name(double x, Ptr pointer) {                                                                \
    *pointer = written;                                                                                      \
    return returned;                                                                                         \
  }                                                                                                          \
  template <class Ptr, detail::if_writes_to<Ptr, detail::written_type<half, Written>> = 0>                   \
  inline half name(half value, Ptr pointer) {                                                                \
    const float x = value;                                                                                   \
    *pointer = written;                                                                                      \
    return half(returned);                                                                                   \
  }                                                                                                          \
  template <class X, class Ptr, class S = detail::float_array<X>,                                            \
            class W = detail::written_type<typename S::element, Written>,                                    \
            detail::if_writes_to<Ptr, typename S::template with<W>> = 0>                                     \
  inline typename S::value name(const X& argument, Ptr pointer) {                                            \
    using E = typename S::element;                                                                           \
    using F = detail::wide<E>;                                                                               \
    const typename S::value values = argument;                                                               \
    *pointer = detail::lift<S, W>([](F x) { return written; }, values);                                      \
    return detail::lift<S, E>([](F x) { return returned; }, values);                                         \
  }

namespace detail {
/// What a function of T writes: ints, or where the row says void, numbers of the argument's type.
template <class T, class Written>
using written_type = std::conditional_t<std::is_void_v<Written>, T, Written>;
} // namespace detail

FALX_MATH_POINTER(fract, detail::scalar::fract(x), void, floor(x))
FALX_MATH_POINTER(frexp, detail::scalar::split(x).mantissa, int, detail::scalar::split(x).exponent)
FALX_MATH_POINTER(lgamma_r, lgamma(x), int, detail::scalar::gamma_sign(x))
FALX_MATH_POINTER(modf, detail::scalar::fraction_of_modf(x), void, trunc(x))
FALX_MATH_POINTER(sincos, sin(x), void, cos(x))
#undef FALX_MATH_POINTER

template <class Ptr, detail::if_writes_to<Ptr, int> = 0>
inline float remquo(float x, float y, Ptr quo) {
  *quo = detail::scalar::quotient(x, y);
  return remainder(x, y);
}
template <class Ptr, detail::if_writes_to<Ptr, int> = 0>
inline double remquo(double x, double y, Ptr quo) {
  *quo = detail::scalar::quotient(x, y);
  return remainder(x, y);
}
template <class Ptr, detail::if_writes_to<Ptr, int> = 0>
inline half remquo(half x, half y, Ptr quo) {
  *quo = detail::scalar::quotient(static_cast<float>(x), static_cast<float>(y));
  return remainder(x, y);
}
template <class X, class Y, class Ptr, class S = detail::float_array<X, Y>,
          detail::if_writes_to<Ptr, typename S::template with<int>> = 0>
inline typename S::value remquo(const X& x, const Y& y, Ptr quo) {
  using F = detail::wide<typename S::element>;
  const typename S::value dividends = x, divisors = y;
  *quo = detail::lift<S, int>([](F a, F b) { return detail::scalar::quotient(a, b); }, dividends, divisors);
  return remainder(dividends, divisors);
}

} // namespace sycl
