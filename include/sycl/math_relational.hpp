// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/math_lift.hpp"

#include <type_traits>

/// \file
/// The relational functions (SYCL 2020 §4.17.10). Of scalars they give bool, of marray an marray of bool, and
/// of vec integers of the element's size, -1 for true and 0 for false; conversely an integer element of a vec
/// counts as true if its highest bit is set. Those of scalars are templates, as in math_floating_point.hpp.

namespace sycl {

#define FALX_RELATIONAL_1(name, condition)                                                                   \
  template <int = 0>                                                                                         \
  inline bool name(float x) {                                                                                \
    return condition;                                                                                        \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline bool name(double x) {                                                                               \
    return condition;                                                                                        \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline bool name(half value) {                                                                             \
    const float x = value;                                                                                   \
    return condition;                                                                                        \
  }                                                                                                          \
  template <class X, class S = detail::float_array<X>>                                                       \
  inline typename S::template with<typename S::truth> name(const X& values) {                                \
    using E = typename S::element;                                                                           \
    using truth = typename S::truth;                                                                         \
    return detail::lift<S, truth>([](E a) { return name(a) ? S::yes : truth(0); }, values);                  \
  }
FALX_RELATIONAL_1(isfinite, __builtin_isfinite(x))
FALX_RELATIONAL_1(isinf, __builtin_isinf(x))
FALX_RELATIONAL_1(isnan, __builtin_isnan(x))
FALX_RELATIONAL_1(signbit, __builtin_signbit(x))
#undef FALX_RELATIONAL_1

// A subnormal half is normal as a float.
template <int = 0>
inline bool isnormal(float x) {
  return __builtin_isnormal(x);
}
template <int = 0>
inline bool isnormal(double x) {
  return __builtin_isnormal(x);
}
template <int = 0>
inline bool isnormal(half x) {
  const float magnitude = __builtin_fabsf(static_cast<float>(x));
  return magnitude >= static_cast<float>(std::numeric_limits<half>::min()) && isfinite(magnitude);
}
template <class X, class S = detail::float_array<X>>
inline typename S::template with<typename S::truth> isnormal(const X& x) {
  using E = typename S::element;
  using truth = typename S::truth;
  return detail::lift<S, truth>([](E a) { return isnormal(a) ? S::yes : truth(0); }, x);
}

#define FALX_RELATIONAL_2(name, condition)                                                                   \
  template <int = 0>                                                                                         \
  inline bool name(float x, float y) {                                                                       \
    return condition;                                                                                        \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline bool name(double x, double y) {                                                                     \
    return condition;                                                                                        \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline bool name(half x, half y) {                                                                         \
    return condition;                                                                                        \
  }                                                                                                          \
  template <class X, class Y, class S = detail::float_array<X, Y>>                                           \
  inline typename S::template with<typename S::truth> name(const X& x, const Y& y) {                         \
    using E = typename S::element;                                                                           \
    using truth = typename S::truth;                                                                         \
    return detail::lift<S, truth>([](E a, E b) { return name(a, b) ? S::yes : truth(0); }, x, y);            \
  }
FALX_RELATIONAL_2(isequal, x == y)
FALX_RELATIONAL_2(isnotequal, x != y)
FALX_RELATIONAL_2(isgreater, x > y)
FALX_RELATIONAL_2(isgreaterequal, x >= y)
FALX_RELATIONAL_2(isless, x < y)
FALX_RELATIONAL_2(islessequal, x <= y)
FALX_RELATIONAL_2(islessgreater, x<y || x> y)
FALX_RELATIONAL_2(isordered, x == x && y == y)
FALX_RELATIONAL_2(isunordered, x != x || y != y)
#undef FALX_RELATIONAL_2

namespace detail {

/// Whether an element of a condition is true: bool as it is, an integer by its highest bit.
template <class T>
constexpr bool is_set(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return value;
  else
    return static_cast<std::make_signed_t<T>>(value) < 0;
}
template <bool All, class X, std::size_t... I>
constexpr bool combine(const X& x, std::index_sequence<I...>) {
  if constexpr (All)
    return (is_set(x[I]) & ...);
  else
    return (is_set(x[I]) | ...);
}
/// Conditions: vecs of signed integers, marrays of bool, and as SYCL 1.2.1 had it signed integers in scalars
/// and marrays.
template <class X, class E = typename shape<X>::element>
using condition =
    std::enable_if_t<std::is_integral_v<E> &&
                         ((std::is_signed_v<E> && !std::is_same_v<E, bool>) ||
                          (std::is_same_v<E, bool> && shape<X>::family == element_family::marray)),
                     shape_of<X>>;
/// any and all are int for vec and bool otherwise.
template <class S>
using verdict = std::conditional_t<S::family == element_family::vec, int, bool>;

template <bool All, class S, class X>
constexpr verdict<S> judge(const X& x) {
  if constexpr (S::family == element_family::scalar)
    return is_set(x);
  else
    return combine<All>(operand<S>(x), std::make_index_sequence<S::size>{});
}

template <class T>
inline T bitselect(T a, T b, T c) {
  using U = unsigned_of_size<sizeof(T)>;
  const U mask = sycl::bit_cast<U>(c);
  return sycl::bit_cast<T>(
      static_cast<U>((sycl::bit_cast<U>(a) & static_cast<U>(~mask)) | (sycl::bit_cast<U>(b) & mask)));
}

/// Whether C is what select takes to choose between elements of shape S.
template <class S, class C>
constexpr bool chooses() {
  using E = typename shape<C>::element;
  if constexpr (!has_elements<C> || S::family == element_family::scalar || shape<C>::size != S::size ||
                shape<C>::family != S::family)
    return false;
  else if constexpr (S::family == element_family::marray)
    return std::is_same_v<E, bool>;
  else
    return is_integer<E> && sizeof(E) == sizeof(typename S::element);
}

} // namespace detail

template <class X, class S = detail::condition<X>>
constexpr detail::verdict<S> any(const X& x) {
  return detail::judge<false, S>(x);
}
template <class X, class S = detail::condition<X>>
constexpr detail::verdict<S> all(const X& x) {
  return detail::judge<true, S>(x);
}

template <class A, class B, class C, class S = detail::generic_number<A, B, C>>
inline typename S::value bitselect(const A& a, const B& b, const C& c) {
  using E = typename S::element;
  return detail::lift<S, E>([](E x, E y, E mask) { return detail::bitselect(x, y, mask); }, a, b, c);
}

/// b where c is true, else a.
template <class T, std::enable_if_t<detail::is_integer<T> || detail::is_floating<T>, int> = 0>
constexpr T select(T a, T b, bool c) {
  return c ? b : a;
}
template <class A, class B, class C, class S = detail::number_array<A, B>,
          std::enable_if_t<detail::chooses<S, C>(), int> = 0>
inline typename S::value select(const A& a, const B& b, const C& c) {
  using E = typename S::element;
  using choice = typename detail::shape<C>::element;
  return detail::map<S, E>([](E x, E y, choice chosen) { return detail::is_set(chosen) ? y : x; },
                           detail::operand<S>(a), detail::operand<S>(b),
                           detail::operand<detail::shape_of<C>>(c));
}

} // namespace sycl
