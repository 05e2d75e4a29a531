// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/math_lift.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

/// \file
/// The integer functions (SYCL 2020 §4.17.7) but for min, max and clamp (math_min_max.hpp).

namespace sycl {

namespace detail::scalar {

template <class T>
using unsigned_of = std::make_unsigned_t<T>;
template <class T>
constexpr int bits_of = 8 * sizeof(T);

/// An integer that holds every product of two T plus a T.
__extension__ typedef __int128 signed_128;
__extension__ typedef unsigned __int128 unsigned_128;
template <class T>
using twice =
    std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, signed_128, unsigned_128>,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

template <class T>
constexpr T abs_diff(T x, T y) {
  using U = unsigned_of<T>;
  return static_cast<T>(x > y ? static_cast<U>(static_cast<U>(x) - static_cast<U>(y))
                              : static_cast<U>(static_cast<U>(y) - static_cast<U>(x)));
}
/// Of the least number: that number.
template <class T>
constexpr T abs(T x) {
  return abs_diff(x, T(0));
}
/// The end of T's range on the side of a result that left it.
template <class T>
constexpr T saturated(bool below) {
  return below ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}
template <class T>
constexpr T add_sat(T x, T y) {
  T sum{};
  return __builtin_add_overflow(x, y, &sum) ? saturated<T>(x < T(0)) : sum;
}
template <class T>
constexpr T sub_sat(T x, T y) {
  T difference{};
  return __builtin_sub_overflow(x, y, &difference) ? saturated<T>(x < T(0) || std::is_unsigned_v<T>)
                                                   : difference;
}
template <class T>
constexpr T hadd(T x, T y) {
  return static_cast<T>((x & y) + ((x ^ y) >> 1));
}
template <class T>
constexpr T rhadd(T x, T y) {
  return static_cast<T>((x | y) - ((x ^ y) >> 1));
}
template <class T>
constexpr T clz(T x) {
  return static_cast<T>(__builtin_clzg(static_cast<unsigned_of<T>>(x), bits_of<T>));
}
template <class T>
constexpr T ctz(T x) {
  return static_cast<T>(__builtin_ctzg(static_cast<unsigned_of<T>>(x), bits_of<T>));
}
template <class T>
constexpr T popcount(T x) {
  return static_cast<T>(__builtin_popcountg(static_cast<unsigned_of<T>>(x)));
}
template <class T>
constexpr T mul_hi(T x, T y) {
  return static_cast<T>((static_cast<twice<T>>(x) * static_cast<twice<T>>(y)) >> bits_of<T>);
}
template <class T>
constexpr T mad_hi(T a, T b, T c) {
  return static_cast<T>(static_cast<unsigned_of<T>>(mul_hi(a, b)) + static_cast<unsigned_of<T>>(c));
}
template <class T>
constexpr T mad_sat(T a, T b, T c) {
  const twice<T> exact = static_cast<twice<T>>(a) * static_cast<twice<T>>(b) + static_cast<twice<T>>(c);
  return exact > static_cast<twice<T>>(std::numeric_limits<T>::max())   ? std::numeric_limits<T>::max()
         : exact < static_cast<twice<T>>(std::numeric_limits<T>::min()) ? std::numeric_limits<T>::min()
                                                                        : static_cast<T>(exact);
}
template <class T>
constexpr T rotate(T value, T count) {
  using U = unsigned_of<T>;
  constexpr unsigned mask = bits_of<T> - 1;
  const U v = static_cast<U>(value);
  const unsigned left = static_cast<unsigned>(count) & mask;
  return static_cast<T>(static_cast<U>(v << left) | static_cast<U>(v >> ((0u - left) & mask)));
}
/// The low 32 bits of the product, whatever the arguments: 24-bit ones give the exact result.
template <class T>
constexpr T mul24(T x, T y) {
  return static_cast<T>(static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(y));
}
template <class T>
constexpr T mad24(T x, T y, T z) {
  return static_cast<T>(static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(y) +
                        static_cast<std::uint32_t>(z));
}

/// The integer with twice the bits and the same signedness.
template <class T>
using doubled =
    std::conditional_t<std::is_signed_v<T>, signed_of_size<2 * sizeof(T)>, unsigned_of_size<2 * sizeof(T)>>;
template <class T>
constexpr doubled<T> upsample(T hi, unsigned_of<T> lo) {
  using U = unsigned_of<doubled<T>>;
  return static_cast<doubled<T>>(static_cast<U>(static_cast<U>(hi) << bits_of<T>) | lo);
}

} // namespace detail::scalar

#define FALX_INTEGER_1(name)                                                                                 \
  template <class X, class S = detail::generic_integer<X>>                                                   \
  inline typename S::value name(const X& x) {                                                                \
    using E = typename S::element;                                                                           \
    return detail::lift<S, E>([](E a) { return detail::scalar::name(a); }, x);                               \
  }
#define FALX_INTEGER_2(name)                                                                                 \
  template <class X, class Y, class S = detail::generic_integer<X, Y>>                                       \
  inline typename S::value name(const X& x, const Y& y) {                                                    \
    using E = typename S::element;                                                                           \
    return detail::lift<S, E>([](E a, E b) { return detail::scalar::name(a, b); }, x, y);                    \
  }
#define FALX_INTEGER_3(name)                                                                                 \
  template <class X, class Y, class Z, class S = detail::generic_integer<X, Y, Z>>                           \
  inline typename S::value name(const X& x, const Y& y, const Z& z) {                                        \
    using E = typename S::element;                                                                           \
    return detail::lift<S, E>([](E a, E b, E c) { return detail::scalar::name(a, b, c); }, x, y, z);         \
  }
FALX_INTEGER_1(abs)
FALX_INTEGER_2(abs_diff)
FALX_INTEGER_2(add_sat)
FALX_INTEGER_2(hadd)
FALX_INTEGER_2(rhadd)
FALX_INTEGER_1(clz)
FALX_INTEGER_1(ctz)
FALX_INTEGER_3(mad_hi)
FALX_INTEGER_3(mad_sat)
FALX_INTEGER_2(mul_hi)
FALX_INTEGER_2(rotate)
FALX_INTEGER_2(sub_sat)
FALX_INTEGER_1(popcount)
#undef FALX_INTEGER_3
#undef FALX_INTEGER_2
#undef FALX_INTEGER_1

template <class X, class Y, class S = detail::generic_integer<X, Y>,
          std::enable_if_t<sizeof(typename S::element) == 4, int> = 0>
inline typename S::value mul24(const X& x, const Y& y) {
  using E = typename S::element;
  return detail::lift<S, E>([](E a, E b) { return detail::scalar::mul24(a, b); }, x, y);
}
template <class X, class Y, class Z, class S = detail::generic_integer<X, Y, Z>,
          std::enable_if_t<sizeof(typename S::element) == 4, int> = 0>
inline typename S::value mad24(const X& x, const Y& y, const Z& z) {
  using E = typename S::element;
  return detail::lift<S, E>([](E a, E b, E c) { return detail::scalar::mad24(a, b, c); }, x, y, z);
}

/// hi and lo side by side in an integer of twice the bits, signed as hi is; lo is unsigned.
template <
    class Hi, class Lo, class S = detail::generic_integer<Hi>, class E = typename S::element,
    std::enable_if_t<(sizeof(E) < 8) && std::is_same_v<typename S::template with<std::make_unsigned_t<E>>,
                                                       typename detail::shape<Lo>::value>,
                     int> = 0>
inline auto upsample(const Hi& hi, const Lo& lo) {
  using U = std::make_unsigned_t<E>;
  const auto operation = [](E a, U b) { return detail::scalar::upsample(a, b); };
  using Result = detail::scalar::doubled<E>;
  if constexpr (S::family == detail::element_family::scalar)
    return operation(hi, lo);
  else
    return detail::map<S, Result>(operation, detail::operand<S>(hi),
                                  detail::operand<detail::shape_of<Lo>>(lo));
}

} // namespace sycl
