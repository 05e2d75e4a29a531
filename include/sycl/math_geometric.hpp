// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/math_lift.hpp"
#include "sycl/math_floating_point.hpp"

#include <type_traits>

/// \file
/// The geometric functions (SYCL 2020 §4.17.9). Sums of halves are formed in float.

namespace sycl {

namespace detail {

/// Scalars and two, three or four floating-point elements: the specification's generic geometric types.
template <class First, class... Rest>
using geometric =
    std::enable_if_t<(shape<First>::size <= 4) && (!has_elements<First> || shape<First>::size > 1),
                     generic_float<First, Rest...>>;
/// The same of float: the specification's float geometric types.
template <class First, class... Rest>
using float_geometric =
    std::enable_if_t<std::is_same_v<typename shape<First>::element, float>, geometric<First, Rest...>>;

template <class F, class X, class Y, std::size_t... I>
inline F sum_of_products(const X& x, const Y& y, std::index_sequence<I...>) {
  return ((static_cast<F>(x[I]) * static_cast<F>(y[I])) + ...);
}
/// The dot product in the type in which it is computed.
template <class S, class X, class Y>
inline auto wide_dot(const X& x, const Y& y) {
  using F = wide<typename S::element>;
  if constexpr (S::family == element_family::scalar)
    return static_cast<F>(x) * static_cast<F>(y);
  else
    return sum_of_products<F>(operand<S>(x), operand<S>(y), std::make_index_sequence<S::size>{});
}

} // namespace detail

/// Of four elements the last one of the result is 0.
template <class X, class Y, class S = detail::float_array<X, Y>,
          std::enable_if_t<S::size == 3 || S::size == 4, int> = 0>
inline typename S::value cross(const X& p0, const Y& p1) {
  using F = detail::wide<typename S::element>;
  const typename S::value a = p0, b = p1;
  const auto minor = [&a, &b](int i, int j) {
    return static_cast<typename S::element>(static_cast<F>(a[i]) * static_cast<F>(b[j]) -
                                            static_cast<F>(a[j]) * static_cast<F>(b[i]));
  };
  typename S::value result(typename S::element(0));
  result[0] = minor(1, 2);
  result[1] = minor(2, 0);
  result[2] = minor(0, 1);
  return result;
}

template <class X, class Y, class S = detail::geometric<X, Y>>
inline typename S::element dot(const X& p0, const Y& p1) {
  return static_cast<typename S::element>(detail::wide_dot<S>(p0, p1));
}

template <class X, class S = detail::geometric<X>>
inline typename S::element length(const X& p) {
  if constexpr (S::family == detail::element_family::scalar)
    return fabs(p);
  else
    return static_cast<typename S::element>(sqrt(detail::wide_dot<S>(p, p)));
}

template <class X, class Y, class S = detail::geometric<X, Y>>
inline typename S::element distance(const X& p0, const Y& p1) {
  const typename S::value difference = p0 - p1;
  return length(difference);
}

/// A vector without length is its own direction.
template <class X, class S = detail::geometric<X>>
inline typename S::value normalize(const X& p) {
  using E = typename S::element;
  using F = detail::wide<E>;
  const F squared = detail::wide_dot<S>(p, p);
  const F divisor = squared == F(0) ? F(1) : sqrt(squared);
  return detail::lift<S, E>([divisor](F a) { return a / divisor; }, p);
}

template <class X, class S = detail::float_geometric<X>>
inline float fast_length(const X& p) {
  return sqrt(detail::wide_dot<S>(p, p));
}
template <class X, class Y, class S = detail::float_geometric<X, Y>>
inline float fast_distance(const X& p0, const Y& p1) {
  const typename S::value difference = p0 - p1;
  return fast_length(difference);
}
template <class X, class S = detail::float_geometric<X>>
inline typename S::value fast_normalize(const X& p) {
  const float squared = detail::wide_dot<S>(p, p);
  const float factor = squared == 0.0f ? 1.0f : rsqrt(squared);
  return detail::lift<S, float>([factor](float a) { return a * factor; }, p);
}

} // namespace sycl
