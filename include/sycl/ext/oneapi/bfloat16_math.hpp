// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/bfloat16.hpp"
#include "sycl/marray.hpp"
#include "sycl/math_floating_point.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// \file
/// Math functions of bfloat16 and of marrays of it (sycl_ext_oneapi_bfloat16, "Math Functions"). The document
/// sycl_ext_oneapi_bfloat16_math_functions has the same in namespace experimental.

namespace sycl {
namespace detail {

template <class T>
inline constexpr bool is_bfloat16 = std::is_same_v<T, ext::oneapi::bfloat16>;
template <std::size_t N>
inline constexpr bool is_bfloat16<marray<ext::oneapi::bfloat16, N>> = true;
/// A function of bfloat16, or of marrays of it.
template <class T>
using if_bfloat16 = std::enable_if_t<is_bfloat16<T>, int>;

/// a * b + c, whose float, rounded to nearest, is halfway between two bfloat16s: what is lost decides. The
/// product is exact in double; what its sum with c loses decides the last bit of the float ("rounding to
/// odd"), so that rounding once more does no harm.
inline std::uint16_t bfloat16_fma_of_tie(std::uint16_t a, std::uint16_t b, std::uint16_t c) noexcept {
#pragma clang fp contract(off) reassociate(off)
  const double product = static_cast<double>(bfloat16_value(a)) * static_cast<double>(bfloat16_value(b));
  const double addend = static_cast<double>(bfloat16_value(c));
  const double sum = product + addend;
  const double other = sum - product;
  const double lost = (product - (sum - other)) + (addend - other);
  float result = static_cast<float>(sum);
  const double difference = sum - static_cast<double>(result);
  const double rest = difference == 0.0 ? lost : difference;
  if ((rest < 0.0 || rest > 0.0) && (sycl::bit_cast<std::uint32_t>(result) & 1) == 0)
    result = next_towards(result, rest > 0.0);
  return bfloat16_bits(result);
}

// As bfloat16_bits, the JIT may put an instruction in its place.
inline std::uint16_t bfloat16_fma(std::uint16_t a, std::uint16_t b, std::uint16_t c) noexcept
    __asm__("falx.bfloat16_fma");
inline std::uint16_t bfloat16_fma(std::uint16_t a, std::uint16_t b, std::uint16_t c) noexcept {
  const float nearest = __builtin_elementwise_fma(bfloat16_value(a), bfloat16_value(b), bfloat16_value(c));
  const bool is_tie = (sycl::bit_cast<std::uint32_t>(nearest) & 0xffff) == 0x8000;
  return is_tie ? bfloat16_fma_of_tie(a, b, c) : bfloat16_bits(nearest);
}

} // namespace detail

namespace ext::oneapi {

#define FALX_BFLOAT16_MATH(name)                                                                             \
  template <class T, sycl::detail::if_bfloat16<T> = 0>                                                       \
  inline T name(T x) {                                                                                       \
    return sycl::detail::lift<sycl::detail::shape<T>, bfloat16>(                                             \
        [](bfloat16 a) { return bfloat16(sycl::name(static_cast<float>(a))); }, x);                          \
  }
FALX_BFLOAT16_MATH(ceil)
FALX_BFLOAT16_MATH(cos)
FALX_BFLOAT16_MATH(exp)
FALX_BFLOAT16_MATH(exp10)
FALX_BFLOAT16_MATH(exp2)
FALX_BFLOAT16_MATH(fabs)
FALX_BFLOAT16_MATH(floor)
FALX_BFLOAT16_MATH(log)
FALX_BFLOAT16_MATH(log10)
FALX_BFLOAT16_MATH(log2)
FALX_BFLOAT16_MATH(rint)
FALX_BFLOAT16_MATH(rsqrt)
FALX_BFLOAT16_MATH(sin)
FALX_BFLOAT16_MATH(sqrt)
FALX_BFLOAT16_MATH(trunc)
#undef FALX_BFLOAT16_MATH

/// The other argument if one is NaN.
template <class T, sycl::detail::if_bfloat16<T> = 0>
inline T fmax(T x, T y) {
  return sycl::detail::lift<sycl::detail::shape<T>, bfloat16>(
      [](bfloat16 a, bfloat16 b) {
        return bfloat16(sycl::fmax(static_cast<float>(a), static_cast<float>(b)));
      },
      x, y);
}
template <class T, sycl::detail::if_bfloat16<T> = 0>
inline T fmin(T x, T y) {
  return sycl::detail::lift<sycl::detail::shape<T>, bfloat16>(
      [](bfloat16 a, bfloat16 b) {
        return bfloat16(sycl::fmin(static_cast<float>(a), static_cast<float>(b)));
      },
      x, y);
}

/// a * b + c, rounded once.
template <class T, sycl::detail::if_bfloat16<T> = 0>
inline T fma(T a, T b, T c) {
  return sycl::detail::lift<sycl::detail::shape<T>, bfloat16>(
      [](bfloat16 x, bfloat16 y, bfloat16 z) {
        return sycl::bit_cast<bfloat16>(sycl::detail::bfloat16_fma(sycl::bit_cast<std::uint16_t>(x),
                                                                   sycl::bit_cast<std::uint16_t>(y),
                                                                   sycl::bit_cast<std::uint16_t>(z)));
      },
      a, b, c);
}

inline bool isnan(bfloat16 x) {
  return (sycl::bit_cast<std::uint16_t>(x) & 0x7fff) > 0x7f80;
}
template <std::size_t N>
inline marray<bool, N> isnan(marray<bfloat16, N> x) {
  return sycl::detail::lift<sycl::detail::shape<marray<bfloat16, N>>, bool>(
      [](bfloat16 a) { return isnan(a); }, x);
}

namespace experimental {

using oneapi::ceil;
using oneapi::cos;
using oneapi::exp;
using oneapi::exp10;
using oneapi::exp2;
using oneapi::fabs;
using oneapi::floor;
using oneapi::fma;
using oneapi::fmax;
using oneapi::fmin;
using oneapi::isnan;
using oneapi::log;
using oneapi::log10;
using oneapi::log2;
using oneapi::rint;
using oneapi::rsqrt;
using oneapi::sin;
using oneapi::sqrt;
using oneapi::trunc;

} // namespace experimental
} // namespace ext::oneapi

// SYCL's names: bfloat16 converts to float as well as to half, which alone would be ambiguous.
using ext::oneapi::ceil;
using ext::oneapi::cos;
using ext::oneapi::exp;
using ext::oneapi::exp10;
using ext::oneapi::exp2;
using ext::oneapi::fabs;
using ext::oneapi::floor;
using ext::oneapi::fma;
using ext::oneapi::fmax;
using ext::oneapi::fmin;
using ext::oneapi::isnan;
using ext::oneapi::log;
using ext::oneapi::log10;
using ext::oneapi::log2;
using ext::oneapi::rint;
using ext::oneapi::rsqrt;
using ext::oneapi::sin;
using ext::oneapi::sqrt;
using ext::oneapi::trunc;

} // namespace sycl
