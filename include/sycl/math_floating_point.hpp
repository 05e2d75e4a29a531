// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/math_lift.hpp"
#include "sycl/detail/math_scalar.hpp"

#include <cstdint>

/// \file
/// The math functions (SYCL 2020 §4.17.4) of one, two and three floating-point arguments. A row of the table
/// defines a function for float, double, half, and elementwise for vec, swizzles and marray. What LLVM has an
/// intrinsic for is written as such, because it does not write errno and so vectorises.
///
/// Those of scalars are templates without anything to deduce: they convert their arguments as functions do,
/// but where `using namespace sycl` shows them beside the C library's functions of the same types, those are
/// called, which else would be ambiguous.

namespace sycl {

#define FALX_MATH_1(name, of_float, of_double)                                                               \
  template <int = 0>                                                                                         \
  inline float name(float x) {                                                                               \
    return of_float;                                                                                         \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline double name(double x) {                                                                             \
    return of_double;                                                                                        \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline half name(half x) {                                                                                 \
    return half(name(static_cast<float>(x)));                                                                \
  }                                                                                                          \
  template <class X, class S = detail::float_array<X>>                                                       \
  inline typename S::value name(const X& x) {                                                                \
    using E = typename S::element;                                                                           \
    return detail::lift<S, E>([](E a) { return name(a); }, x);                                               \
  }
#define FALX_INTRINSIC_1(name, intrinsic)                                                                    \
  FALX_MATH_1(name, __builtin_elementwise_##intrinsic(x), __builtin_elementwise_##intrinsic(x))
#define FALX_LIBM_1(name) FALX_MATH_1(name, __builtin_##name##f(x), __builtin_##name(x))
#define FALX_SCALAR_1(name) FALX_MATH_1(name, detail::scalar::name(x), detail::scalar::name(x))

FALX_INTRINSIC_1(acos, acos)
FALX_LIBM_1(acosh)
FALX_SCALAR_1(acospi)
FALX_INTRINSIC_1(asin, asin)
FALX_LIBM_1(asinh)
FALX_SCALAR_1(asinpi)
FALX_INTRINSIC_1(atan, atan)
FALX_LIBM_1(atanh)
FALX_SCALAR_1(atanpi)
FALX_LIBM_1(cbrt)
FALX_INTRINSIC_1(ceil, ceil)
FALX_INTRINSIC_1(cos, cos)
FALX_INTRINSIC_1(cosh, cosh)
FALX_SCALAR_1(cospi)
FALX_LIBM_1(erfc)
FALX_LIBM_1(erf)
FALX_INTRINSIC_1(exp, exp)
FALX_INTRINSIC_1(exp2, exp2)
FALX_INTRINSIC_1(exp10, exp10)
FALX_LIBM_1(expm1)
FALX_INTRINSIC_1(fabs, abs)
FALX_INTRINSIC_1(floor, floor)
FALX_LIBM_1(lgamma)
FALX_INTRINSIC_1(log, log)
FALX_INTRINSIC_1(log2, log2)
FALX_INTRINSIC_1(log10, log10)
FALX_LIBM_1(log1p)
FALX_SCALAR_1(logb)
FALX_INTRINSIC_1(rint, rint)
FALX_INTRINSIC_1(round, round)
FALX_SCALAR_1(rsqrt)
FALX_INTRINSIC_1(sin, sin)
FALX_INTRINSIC_1(sinh, sinh)
FALX_SCALAR_1(sinpi)
FALX_INTRINSIC_1(sqrt, sqrt)
FALX_INTRINSIC_1(tan, tan)
FALX_INTRINSIC_1(tanh, tanh)
FALX_SCALAR_1(tanpi)
FALX_LIBM_1(tgamma)
FALX_INTRINSIC_1(trunc, trunc)
#undef FALX_SCALAR_1
#undef FALX_LIBM_1
#undef FALX_INTRINSIC_1
#undef FALX_MATH_1

#define FALX_MATH_2(name, of_float, of_double, of_half)                                                      \
  template <int = 0>                                                                                         \
  inline float name(float x, float y) {                                                                      \
    return of_float;                                                                                         \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline double name(double x, double y) {                                                                   \
    return of_double;                                                                                        \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline half name(half x, half y) {                                                                         \
    return of_half;                                                                                          \
  }                                                                                                          \
  template <class X, class Y, class S = detail::float_array<X, Y>>                                           \
  inline typename S::value name(const X& x, const Y& y) {                                                    \
    using E = typename S::element;                                                                           \
    return detail::lift<S, E>([](E a, E b) { return name(a, b); }, x, y);                                    \
  }
#define FALX_THROUGH_FLOAT(name) half(name(static_cast<float>(x), static_cast<float>(y)))
#define FALX_INTRINSIC_2(name, intrinsic)                                                                    \
  FALX_MATH_2(name, __builtin_elementwise_##intrinsic(x, y), __builtin_elementwise_##intrinsic(x, y),        \
              FALX_THROUGH_FLOAT(name))
#define FALX_SCALAR_2(name)                                                                                  \
  FALX_MATH_2(name, detail::scalar::name(x, y), detail::scalar::name(x, y), FALX_THROUGH_FLOAT(name))

FALX_INTRINSIC_2(atan2, atan2)
FALX_SCALAR_2(atan2pi)
FALX_INTRINSIC_2(copysign, copysign)
FALX_SCALAR_2(fdim)
FALX_INTRINSIC_2(fmax, maxnum)
FALX_INTRINSIC_2(fmin, minnum)
FALX_INTRINSIC_2(fmod, fmod)
FALX_MATH_2(hypot, __builtin_hypotf(x, y), __builtin_hypot(x, y), FALX_THROUGH_FLOAT(hypot))
FALX_SCALAR_2(maxmag)
FALX_SCALAR_2(minmag)
FALX_MATH_2(nextafter, detail::scalar::nextafter(x, y), detail::scalar::nextafter(x, y),
            detail::scalar::nextafter(x, y))
FALX_INTRINSIC_2(pow, pow)
FALX_SCALAR_2(powr)
FALX_SCALAR_2(remainder)
#undef FALX_SCALAR_2
#undef FALX_INTRINSIC_2
#undef FALX_THROUGH_FLOAT
#undef FALX_MATH_2

/// fmax and fmin of each element and one scalar.
template <class X, class S = detail::float_array<X>>
inline typename S::value fmax(const X& x, const typename S::element& y) {
  using E = typename S::element;
  return detail::lift<S, E>([y](E a) { return fmax(a, y); }, x);
}
template <class X, class S = detail::float_array<X>>
inline typename S::value fmin(const X& x, const typename S::element& y) {
  using E = typename S::element;
  return detail::lift<S, E>([y](E a) { return fmin(a, y); }, x);
}

#define FALX_MATH_3(name, of_float, of_half)                                                                 \
  template <int = 0>                                                                                         \
  inline float name(float a, float b, float c) {                                                             \
    return of_float;                                                                                         \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline double name(double a, double b, double c) {                                                         \
    return of_float;                                                                                         \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline half name(half a, half b, half c) {                                                                 \
    return of_half;                                                                                          \
  }                                                                                                          \
  template <class A, class B, class C, class S = detail::float_array<A, B, C>>                               \
  inline typename S::value name(const A& a, const B& b, const C& c) {                                        \
    using E = typename S::element;                                                                           \
    return detail::lift<S, E>([](E x, E y, E z) { return name(x, y, z); }, a, b, c);                         \
  }
FALX_MATH_3(fma, __builtin_elementwise_fma(a, b, c), detail::scalar::fma(a, b, c))
FALX_MATH_3(mad, a* b + c, detail::scalar::fma(a, b, c))
#undef FALX_MATH_3

/// Functions of a number and an int.
#define FALX_MATH_INT(name, of_float)                                                                        \
  template <int = 0>                                                                                         \
  inline float name(float x, int k) {                                                                        \
    return of_float;                                                                                         \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline double name(double x, int k) {                                                                      \
    return of_float;                                                                                         \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline half name(half x, int k) {                                                                          \
    return half(name(static_cast<float>(x), k));                                                             \
  }                                                                                                          \
  template <class X, class K, class S = detail::float_and_int_array<X, K>>                                   \
  inline typename S::value name(const X& x, const K& k) {                                                    \
    using E = typename S::element;                                                                           \
    using exponents = detail::shape_of<K>;                                                                   \
    return detail::map<S, E>([](E a, int b) { return name(a, b); }, detail::operand<S>(x),                   \
                             detail::operand<exponents>(k));                                                 \
  }
FALX_MATH_INT(ldexp, __builtin_elementwise_ldexp(x, k))
FALX_MATH_INT(pown, detail::scalar::pown(x, k))
FALX_MATH_INT(rootn, detail::scalar::rootn(x, k))
#undef FALX_MATH_INT

/// ldexp of each element and one exponent.
template <class X, class S = detail::float_array<X>>
inline typename S::value ldexp(const X& x, int k) {
  using E = typename S::element;
  return detail::lift<S, E>([k](E a) { return ldexp(a, k); }, x);
}

template <int = 0>
inline int ilogb(float x) {
  return detail::scalar::ilogb(x);
}
template <int = 0>
inline int ilogb(double x) {
  return detail::scalar::ilogb(x);
}
template <int = 0>
inline int ilogb(half x) {
  return detail::scalar::ilogb(static_cast<float>(x));
}
template <class X, class S = detail::float_array<X>>
inline typename S::template with<int> ilogb(const X& x) {
  using E = typename S::element;
  return detail::lift<S, int>([](E a) { return ilogb(a); }, x);
}

/// A quiet NaN with the code in its significand.
inline float nan(std::uint32_t nancode) {
  return bit_cast<float>(0x7fc00000u | (nancode & 0x3fffffu));
}
inline double nan(std::uint64_t nancode) {
  return bit_cast<double>(std::uint64_t(0x7ff8) << 48 | (nancode & ((std::uint64_t(1) << 51) - 1)));
}
inline half nan(std::uint16_t nancode) {
  return bit_cast<half>(static_cast<std::uint16_t>(0x7e00 | (nancode & 0x1ff)));
}
template <class X, class S = detail::shape_of<X>,
          std::enable_if_t<detail::has_elements<X> && std::is_unsigned_v<typename S::element> &&
                               (sizeof(typename S::element) > 1),
                           int> = 0>
inline auto nan(const X& nancode) {
  using E = typename S::element;
  using F = std::conditional_t<sizeof(E) == 2, half, std::conditional_t<sizeof(E) == 4, float, double>>;
  return detail::lift<S, F>([](E a) { return nan(static_cast<detail::unsigned_of_size<sizeof(E)>>(a)); },
                            nancode);
}

} // namespace sycl
