// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/experimental/complex/complex_number.hpp"
#include "sycl/marray.hpp"

#include <cmath>
#include <complex>
#include <cstddef>
#include <type_traits>

/// \file
/// The functions of sycl_ext_oneapi_complex: those of the standard library, which the JIT has for all
/// devices, for complex numbers and element by element for marrays of them. half goes through float.

namespace sycl {
namespace detail {

/// The standard library's number in which functions of complex<T> are computed.
template <class T>
using wide_complex = std::complex<std::conditional_t<std::is_same_v<T, half>, float, T>>;

/// A number that functions take as a complex one: the type of its parts. Integers are doubles, as in C++.
template <class T>
using real_part_type = std::enable_if_t<std::is_integral_v<T> || std::is_same_v<T, half> ||
                                            std::is_same_v<T, float> || std::is_same_v<T, double>,
                                        std::conditional_t<std::is_integral_v<T>, double, T>>;

/// What a base or an exponent counts for in the type of a power: its parts' type, or none for integers.
template <class T>
struct power_operand {
  using part = T;
  static constexpr bool is_complex = false, is_number = std::is_floating_point_v<T> || std::is_integral_v<T>;
};
template <>
struct power_operand<half> {
  using part = half;
  static constexpr bool is_complex = false, is_number = true;
};
template <class T>
struct power_operand<ext::oneapi::experimental::complex<T>> {
  using part = T;
  static constexpr bool is_complex = true, is_number = true;
};
template <class X, class Y>
constexpr auto power_part() {
  using x = typename power_operand<X>::part;
  using y = typename power_operand<Y>::part;
  if constexpr (std::is_same_v<x, double> || std::is_same_v<y, double>)
    return double();
  else if constexpr (std::is_same_v<x, float> || std::is_same_v<y, float>)
    return float();
  else
    return half();
}
template <class X, class Y>
using if_complex_power = std::enable_if_t<(power_operand<X>::is_complex || power_operand<Y>::is_complex) &&
                                              power_operand<X>::is_number && power_operand<Y>::is_number,
                                          decltype(power_part<X, Y>())>;

/// function of each element, or of scalars that stand for every element.
template <class R, std::size_t N, class Function, class... Operands>
marray<R, N> map_complex(const Function& function, const Operands&... operands) {
  const auto at = [](const auto& operand, std::size_t i) {
    if constexpr (shape<std::decay_t<decltype(operand)>>::family == element_family::marray)
      return operand[i];
    else
      return static_cast<void>(i), operand;
  };
  marray<R, N> result;
  for (std::size_t i = 0; i < N; ++i)
    result[i] = function(at(operands, i)...);
  return result;
}

} // namespace detail

namespace ext::oneapi::experimental {

#define FALX_COMPLEX_TO_COMPLEX(name)                                                                        \
  template <class T>                                                                                         \
  complex<T> name(const complex<T>& z) {                                                                     \
    return complex<T>(std::name(sycl::detail::wide_complex<T>(z)));                                          \
  }                                                                                                          \
  template <class T, std::size_t N>                                                                          \
  marray<complex<T>, N> name(const marray<complex<T>, N>& x) {                                               \
    return sycl::detail::map_complex<complex<T>, N>([](const complex<T>& z) { return name(z); }, x);         \
  }
#define FALX_COMPLEX_TO_REAL(name)                                                                           \
  template <class T>                                                                                         \
  T name(const complex<T>& z) {                                                                              \
    return static_cast<T>(std::name(sycl::detail::wide_complex<T>(z)));                                      \
  }                                                                                                          \
  template <class T, std::size_t N>                                                                          \
  marray<T, N> name(const marray<complex<T>, N>& x) {                                                        \
    return sycl::detail::map_complex<T, N>([](const complex<T>& z) { return name(z); }, x);                  \
  }
FALX_COMPLEX_TO_REAL(abs)
FALX_COMPLEX_TO_REAL(arg)
FALX_COMPLEX_TO_REAL(norm)
FALX_COMPLEX_TO_COMPLEX(acos)
FALX_COMPLEX_TO_COMPLEX(acosh)
FALX_COMPLEX_TO_COMPLEX(asin)
FALX_COMPLEX_TO_COMPLEX(asinh)
FALX_COMPLEX_TO_COMPLEX(atan)
FALX_COMPLEX_TO_COMPLEX(atanh)
FALX_COMPLEX_TO_COMPLEX(conj)
FALX_COMPLEX_TO_COMPLEX(cos)
FALX_COMPLEX_TO_COMPLEX(cosh)
FALX_COMPLEX_TO_COMPLEX(exp)
FALX_COMPLEX_TO_COMPLEX(log)
FALX_COMPLEX_TO_COMPLEX(log10)
FALX_COMPLEX_TO_COMPLEX(proj)
FALX_COMPLEX_TO_COMPLEX(sin)
FALX_COMPLEX_TO_COMPLEX(sinh)
FALX_COMPLEX_TO_COMPLEX(sqrt)
FALX_COMPLEX_TO_COMPLEX(tan)
FALX_COMPLEX_TO_COMPLEX(tanh)
#undef FALX_COMPLEX_TO_REAL
#undef FALX_COMPLEX_TO_COMPLEX

template <class T>
constexpr T real(const complex<T>& z) {
  return z.real();
}
template <class T>
constexpr T imag(const complex<T>& z) {
  return z.imag();
}
template <class T, std::size_t N>
marray<T, N> real(const marray<complex<T>, N>& x) {
  return sycl::detail::map_complex<T, N>([](const complex<T>& z) { return z.real(); }, x);
}
template <class T, std::size_t N>
marray<T, N> imag(const marray<complex<T>, N>& x) {
  return sycl::detail::map_complex<T, N>([](const complex<T>& z) { return z.imag(); }, x);
}

// Of real numbers, whose imaginary part is 0.
template <class T, class P = sycl::detail::real_part_type<T>>
constexpr P real(T x) {
  return static_cast<P>(x);
}
template <class T, class P = sycl::detail::real_part_type<T>>
constexpr P imag(T) {
  return P(0);
}
template <class T, class P = sycl::detail::real_part_type<T>>
P arg(T x) {
  return arg(complex<P>(static_cast<P>(x)));
}
template <class T, class P = sycl::detail::real_part_type<T>>
P norm(T x) {
  return static_cast<P>(x) * static_cast<P>(x);
}
template <class T, class P = sycl::detail::real_part_type<T>>
complex<P> conj(T x) {
  return conj(complex<P>(static_cast<P>(x)));
}
template <class T, class P = sycl::detail::real_part_type<T>>
complex<P> proj(T x) {
  return proj(complex<P>(static_cast<P>(x)));
}
template <class T, std::size_t N, class P = sycl::detail::real_part_type<T>>
marray<complex<P>, N> proj(const marray<T, N>& x) {
  return sycl::detail::map_complex<complex<P>, N>([](T value) { return proj(value); }, x);
}

/// rho times e to the power of i theta; rho is not negative.
template <class T, class P = sycl::detail::real_part_type<T>>
complex<P> polar(const T& rho, const T& theta = T()) {
  using part = typename sycl::detail::wide_complex<P>::value_type;
  const part radius = static_cast<part>(rho), angle = static_cast<part>(theta);
  return complex<P>(static_cast<P>(radius * std::cos(angle)), static_cast<P>(radius * std::sin(angle)));
}
template <class T, std::size_t N>
marray<complex<T>, N> polar(const marray<T, N>& rho, T theta = T()) {
  return sycl::detail::map_complex<complex<T>, N>([](T r, T t) { return polar(r, t); }, rho, theta);
}
template <class T, std::size_t N>
marray<complex<T>, N> polar(const marray<T, N>& rho, const marray<T, N>& theta) {
  return sycl::detail::map_complex<complex<T>, N>([](T r, T t) { return polar(r, t); }, rho, theta);
}
template <class T, std::size_t N>
marray<complex<T>, N> polar(T rho, const marray<T, N>& theta) {
  return sycl::detail::map_complex<complex<T>, N>([](T r, T t) { return polar(r, t); }, rho, theta);
}

/// Of two numbers, at least one of them complex. The result has parts of the wider type; integers do not
/// count.
template <class X, class Y, class P = sycl::detail::if_complex_power<X, Y>>
complex<P> pow(const X& base, const Y& exponent) {
  using wide = sycl::detail::wide_complex<P>;
  using part = typename wide::value_type;
  const auto widened = [](const auto& value) {
    if constexpr (sycl::detail::power_operand<std::decay_t<decltype(value)>>::is_complex)
      return wide(static_cast<part>(value.real()), static_cast<part>(value.imag()));
    else
      return wide(static_cast<part>(value));
  };
  return complex<P>(std::pow(widened(base), widened(exponent)));
}
template <class X, class Y, std::size_t N, class P = sycl::detail::if_complex_power<X, Y>>
marray<complex<P>, N> pow(const marray<X, N>& base, const marray<Y, N>& exponent) {
  return sycl::detail::map_complex<complex<P>, N>([](const X& x, const Y& y) { return pow(x, y); }, base,
                                                  exponent);
}
template <class X, class Y, std::size_t N, class P = sycl::detail::if_complex_power<X, Y>>
marray<complex<P>, N> pow(const marray<X, N>& base, const Y& exponent) {
  return sycl::detail::map_complex<complex<P>, N>([](const X& x, const Y& y) { return pow(x, y); }, base,
                                                  exponent);
}
template <class X, class Y, std::size_t N, class P = sycl::detail::if_complex_power<X, Y>>
marray<complex<P>, N> pow(const X& base, const marray<Y, N>& exponent) {
  return sycl::detail::map_complex<complex<P>, N>([](const X& x, const Y& y) { return pow(x, y); }, base,
                                                  exponent);
}

} // namespace ext::oneapi::experimental
} // namespace sycl
