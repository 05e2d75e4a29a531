// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/math_lift.hpp"
#include "sycl/math_floating_point.hpp"

#include <type_traits>

/// \file
/// min, max and clamp of integers (SYCL 2020 §4.17.7) and of floating-point numbers (§4.17.8).

namespace sycl {

namespace detail::scalar {

template <class T>
constexpr T max(T x, T y) {
  return x < y ? y : x;
}
template <class T>
constexpr T min(T x, T y) {
  return y < x ? y : x;
}
template <class T>
inline T clamp(T x, T low, T high) {
  if constexpr (is_floating<T>)
    return sycl::fmin(sycl::fmax(x, low), high);
  else
    return min(max(x, low), high);
}

} // namespace detail::scalar

#define FALX_EXTREMUM(name)                                                                                  \
  template <class X, class Y, class S = detail::generic_number<X, Y>>                                        \
  constexpr typename S::value name(const X& x, const Y& y) {                                                 \
    using E = typename S::element;                                                                           \
    if constexpr (S::family == detail::element_family::scalar)                                               \
      return detail::scalar::name(x, y);                                                                     \
    else                                                                                                     \
      return detail::map<S, E>([](E a, E b) { return detail::scalar::name(a, b); }, detail::operand<S>(x),   \
                               detail::operand<S>(y));                                                       \
  }                                                                                                          \
  template <class X, class S = detail::number_array<X>>                                                      \
  constexpr typename S::value name(const X& x, const typename S::element& y) {                               \
    using E = typename S::element;                                                                           \
    return detail::map<S, E>([y](E a) { return detail::scalar::name(a, y); }, detail::operand<S>(x));        \
  }
FALX_EXTREMUM(max)
FALX_EXTREMUM(min)
#undef FALX_EXTREMUM

template <class X, class Low, class High, class S = detail::generic_number<X, Low, High>>
inline typename S::value clamp(const X& x, const Low& minval, const High& maxval) {
  using E = typename S::element;
  return detail::lift<S, E>([](E a, E low, E high) { return detail::scalar::clamp(a, low, high); }, x, minval,
                            maxval);
}
template <class X, class S = detail::number_array<X>>
inline typename S::value clamp(const X& x, const typename S::element& minval,
                               const typename S::element& maxval) {
  using E = typename S::element;
  return detail::lift<S, E>([minval, maxval](E a) { return detail::scalar::clamp(a, minval, maxval); }, x);
}

} // namespace sycl
