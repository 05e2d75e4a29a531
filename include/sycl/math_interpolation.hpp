// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/math_lift.hpp"
#include "sycl/detail/math_scalar.hpp"
#include "sycl/math_min_max.hpp"

/// \file
/// The other common functions (SYCL 2020 §4.17.8): degrees, radians, mix, step, smoothstep, sign.

namespace sycl {

namespace detail::scalar {

template <class T>
inline T degrees(T radians) {
  return static_cast<T>(57.295779513082320876798154814105170L) * radians;
}
template <class T>
inline T radians(T degrees) {
  return static_cast<T>(0.017453292519943295769236907684886127L) * degrees;
}
template <class T>
inline T mix(T x, T y, T a) {
  return x + (y - x) * a;
}
template <class T>
inline T step(T edge, T x) {
  return x < edge ? T(0) : T(1);
}
template <class T>
inline T smoothstep(T edge0, T edge1, T x) {
  const T t = clamp((x - edge0) / (edge1 - edge0), T(0), T(1));
  return t * t * (T(3) - T(2) * t);
}
template <class T>
inline T sign(T x) {
  return is_nan(x) ? T(0) : x == T(0) ? x : with_sign_of(T(1), x);
}

} // namespace detail::scalar

#define FALX_GENERIC_1(name)                                                                                 \
  template <class X, class S = detail::generic_float<X>>                                                     \
  inline typename S::value name(const X& x) {                                                                \
    using E = typename S::element;                                                                           \
    return detail::lift<S, E>([](detail::wide<E> a) { return detail::scalar::name(a); }, x);                 \
  }
FALX_GENERIC_1(degrees)
FALX_GENERIC_1(radians)
FALX_GENERIC_1(sign)
#undef FALX_GENERIC_1

// The text gives mix and smoothstep as expressions of the element's type, in which smoothstep also names a
// variable: so halves are computed with as halves here, each operation rounded, and not once at the end.
template <class X, class Y, class A, class S = detail::generic_float<X, Y, A>>
inline typename S::value mix(const X& x, const Y& y, const A& a) {
  using E = typename S::element;
  return detail::lift<S, E>([](E from, E to, E part) { return detail::scalar::mix(from, to, part); }, x, y,
                            a);
}
template <class X, class Y, class S = detail::float_array<X, Y>>
inline typename S::value mix(const X& x, const Y& y, const typename S::element& a) {
  using E = typename S::element;
  return detail::lift<S, E>([a](E from, E to) { return detail::scalar::mix(from, to, a); }, x, y);
}

template <class Edge, class X, class S = detail::generic_float<Edge, X>>
inline typename S::value step(const Edge& edge, const X& x) {
  using E = typename S::element;
  using F = detail::wide<E>;
  return detail::lift<S, E>([](F e, F a) { return detail::scalar::step(e, a); }, edge, x);
}
template <class X, class S = detail::float_array<X>>
inline typename S::value step(const typename S::element& edge, const X& x) {
  using E = typename S::element;
  using F = detail::wide<E>;
  return detail::lift<S, E>([e = F(edge)](F a) { return detail::scalar::step(e, a); }, x);
}

template <class Edge0, class Edge1, class X, class S = detail::generic_float<Edge0, Edge1, X>>
inline typename S::value smoothstep(const Edge0& edge0, const Edge1& edge1, const X& x) {
  using E = typename S::element;
  return detail::lift<S, E>([](E e0, E e1, E a) { return detail::scalar::smoothstep(e0, e1, a); }, edge0,
                            edge1, x);
}
template <class X, class S = detail::float_array<X>>
inline typename S::value smoothstep(const typename S::element& edge0, const typename S::element& edge1,
                                    const X& x) {
  using E = typename S::element;
  return detail::lift<S, E>([edge0, edge1](E a) { return detail::scalar::smoothstep(edge0, edge1, a); }, x);
}

} // namespace sycl
