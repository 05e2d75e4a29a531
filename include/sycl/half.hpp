// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/bit_cast.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <typeindex> // declares std::hash and is cheap to parse

namespace sycl {
namespace detail::half_precision {

/// A 16-bit floating-point number in the storage format of IEEE 754 binary16 (SYCL 2020 §4.14.1).
///
/// Arithmetic on two halves, or on a half and an integer, gives a half rounded once; with a float or a double
/// it gives that wider type, as the language does for float and double. Converts from every arithmetic type
/// (rounding to nearest even) and to float, and from there to every arithmetic type.
///
/// In a namespace of its own, so that unqualified calls with a half do not find all of SYCL's functions.
class half {
  /// The type in which a half and a T meet: the wider floating-point type, or half for integers.
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  using with = std::conditional_t<std::is_floating_point_v<T>, T, half>;

public:
  half() = default;
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  constexpr half(T value) noexcept : value_(static_cast<_Float16>(value)) {}

  constexpr operator float() const noexcept { return static_cast<float>(value_); }

  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  constexpr half& operator=(T value) noexcept {
    value_ = static_cast<_Float16>(value);
    return *this;
  }

  constexpr half operator+() const noexcept { return *this; }
  constexpr half operator-() const noexcept { return from(-value_); }
  constexpr half& operator++() noexcept { return *this += half(1); }
  constexpr half& operator--() noexcept { return *this -= half(1); }
  constexpr half operator++(int) noexcept {
    half before = *this;
    ++*this;
    return before;
  }
  constexpr half operator--(int) noexcept {
    half before = *this;
    --*this;
    return before;
  }

#define FALX_HALF_ARITHMETIC(symbol)                                                                         \
  friend constexpr half operator symbol(half a, half b) noexcept { return from(a.value_ symbol b.value_); }  \
  template <class T, class Result = with<T>>                                                                 \
  friend constexpr Result operator symbol(half a, T b) noexcept {                                            \
    return static_cast<Result>(a) symbol static_cast<Result>(b);                                             \
  }                                                                                                          \
  template <class T, class Result = with<T>>                                                                 \
  friend constexpr Result operator symbol(T a, half b) noexcept {                                            \
    return static_cast<Result>(a) symbol static_cast<Result>(b);                                             \
  }                                                                                                          \
  constexpr half& operator symbol## = (half other) noexcept { return *this = *this symbol other; }           \
  template <class T, class = with<T>>                                                                        \
  constexpr half& operator symbol## = (T other) noexcept {                                                   \
    return *this = static_cast<half>(*this symbol other);                                                    \
  }                                                                                                          \
  template <class T, class = with<T>>                                                                        \
  friend constexpr T& operator symbol## = (T & a, half b) noexcept {                                         \
    return a = static_cast<T>(a symbol b);                                                                   \
  }
  FALX_HALF_ARITHMETIC(+)
  FALX_HALF_ARITHMETIC(-)
  FALX_HALF_ARITHMETIC(*)
  FALX_HALF_ARITHMETIC(/)
#undef FALX_HALF_ARITHMETIC

#define FALX_HALF_COMPARISON(symbol)                                                                         \
  friend constexpr bool operator symbol(half a, half b) noexcept { return a.value_ symbol b.value_; }        \
  template <class T, class Wide = with<T>>                                                                   \
  friend constexpr bool operator symbol(half a, T b) noexcept {                                              \
    return static_cast<Wide>(a) symbol static_cast<Wide>(b);                                                 \
  }                                                                                                          \
  template <class T, class Wide = with<T>>                                                                   \
  friend constexpr bool operator symbol(T a, half b) noexcept {                                              \
    return static_cast<Wide>(a) symbol static_cast<Wide>(b);                                                 \
  }
  FALX_HALF_COMPARISON(==)
  FALX_HALF_COMPARISON(!=)
  FALX_HALF_COMPARISON(<)
  FALX_HALF_COMPARISON(>)
  FALX_HALF_COMPARISON(<=)
  FALX_HALF_COMPARISON(>=)
#undef FALX_HALF_COMPARISON

private:
  static constexpr half from(_Float16 value) noexcept {
    half result{};
    result.value_ = value;
    return result;
  }

  _Float16 value_;
};

static_assert(sizeof(half) == 2 && std::is_trivially_copyable_v<half>);

} // namespace detail::half_precision

using detail::half_precision::half;

namespace detail {

/// What std::numeric_limits says of all binary floating-point types that have infinities and subnormal
/// numbers.
struct binary_floating_point_limits {
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = true;
#pragma clang diagnostic push
#pragma clang diagnostic ignored                                                                             \
    "-Wdeprecated-declarations" // has_denorm is deprecated in C++23, yet belongs here
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
#pragma clang diagnostic pop
  static constexpr bool has_denorm_loss = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr int radix = 2;
  static constexpr bool traps = false;
  static constexpr bool tinyness_before = false;
};

} // namespace detail

} // namespace sycl

namespace std {

/// The limits of IEEE 754 binary16 (SYCL 2020 §4.14.1).
template <>
struct numeric_limits<sycl::half> : sycl::detail::binary_floating_point_limits {
  static constexpr bool is_iec559 = true;
  static constexpr int digits = 11;
  static constexpr int digits10 = 3;
  static constexpr int max_digits10 = 5;
  static constexpr int min_exponent = -13;
  static constexpr int min_exponent10 = -4;
  static constexpr int max_exponent = 16;
  static constexpr int max_exponent10 = 4;

  static constexpr sycl::half min() noexcept { return of(0x0400); }
  static constexpr sycl::half lowest() noexcept { return of(0xfbff); }
  static constexpr sycl::half max() noexcept { return of(0x7bff); }
  static constexpr sycl::half epsilon() noexcept { return of(0x1400); }
  static constexpr sycl::half round_error() noexcept { return of(0x3800); }
  static constexpr sycl::half infinity() noexcept { return of(0x7c00); }
  static constexpr sycl::half quiet_NaN() noexcept { return of(0x7e00); }
  static constexpr sycl::half signaling_NaN() noexcept { return of(0x7d00); }
  static constexpr sycl::half denorm_min() noexcept { return of(0x0001); }

private:
  static constexpr sycl::half of(std::uint16_t bits) noexcept { return sycl::bit_cast<sycl::half>(bits); }
};

/// Equal halves have equal hashes: both zeros give the same.
template <>
struct hash<sycl::half> {
  std::size_t operator()(sycl::half value) const noexcept {
    return value == sycl::half(0) ? 0 : sycl::bit_cast<std::uint16_t>(value);
  }
};

} // namespace std
