// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/bit_cast.hpp"
#include "sycl/half.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

/// \file
/// The type of sycl_ext_oneapi_bfloat16. Its math functions are in bfloat16_math.hpp.

namespace sycl {
namespace detail {

// The JIT knows these by their assembler names, and puts instructions in place of them where a device has
// such (jit/targets/ptx/native_functions.cpp). AVX512-BF16 is none: its conversion takes subnormal numbers
// for 0.

/// \p value rounded to nearest even, as bits.
constexpr std::uint16_t bfloat16_bits(float value) noexcept __asm__("falx.bfloat16_bits");
constexpr std::uint16_t bfloat16_bits(float value) noexcept {
  const std::uint32_t bits = sycl::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = bits + 0x7fff + ((bits >> 16) & 1);
  const std::uint32_t quiet = bits | 0x400000;
  return static_cast<std::uint16_t>((value != value ? quiet : rounded) >> 16);
}
constexpr float bfloat16_value(std::uint16_t bits) noexcept {
  return sycl::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

} // namespace detail

namespace ext::oneapi {

/// A 16-bit floating-point number with the range of float and 8 bits of significand
/// (sycl_ext_oneapi_bfloat16).
///
/// Operators compute in float and round once, to nearest even, which gives the number nearest to the exact
/// result. With another type that converts to float they give a bfloat16, too.
class bfloat16 {
  template <class T>
  static constexpr bool is_number = std::is_arithmetic_v<T> || std::is_same_v<T, half>;
  template <class T>
  using if_number = std::enable_if_t<is_number<T>, int>;

public:
  bfloat16() = default;
  constexpr bfloat16(const float& a) noexcept : bits_(sycl::detail::bfloat16_bits(a)) {}
  constexpr bfloat16(const half& a) noexcept : bfloat16(static_cast<float>(a)) {}
  constexpr bfloat16& operator=(const float& a) noexcept { return *this = bfloat16(a); }
  constexpr bfloat16& operator=(const half& a) noexcept { return *this = bfloat16(a); }

  constexpr operator float() const noexcept { return sycl::detail::bfloat16_value(bits_); }
  constexpr operator half() const noexcept { return half(sycl::detail::bfloat16_value(bits_)); }
  constexpr explicit operator bool() const noexcept { return (bits_ & 0x7fff) != 0; }

  friend constexpr bfloat16 operator-(bfloat16 x) noexcept {
    x.bits_ ^= 0x8000;
    return x;
  }
  friend constexpr bfloat16& operator++(bfloat16& x) noexcept { return x += bfloat16(1.0f); }
  friend constexpr bfloat16& operator--(bfloat16& x) noexcept { return x -= bfloat16(1.0f); }
  friend constexpr bfloat16 operator++(bfloat16& x, int) noexcept {
    const bfloat16 before = x;
    ++x;
    return before;
  }
  friend constexpr bfloat16 operator--(bfloat16& x, int) noexcept {
    const bfloat16 before = x;
    --x;
    return before;
  }

#define FALX_BFLOAT16_ARITHMETIC(symbol)                                                                     \
  friend constexpr bfloat16 operator symbol(const bfloat16& a, const bfloat16& b) noexcept {                 \
    return bfloat16(static_cast<float>(a) symbol static_cast<float>(b));                                     \
  }                                                                                                          \
  template <class T, if_number<T> = 0>                                                                       \
  friend constexpr bfloat16 operator symbol(const bfloat16& a, const T& b) noexcept {                        \
    return bfloat16(static_cast<float>(a) symbol static_cast<float>(b));                                     \
  }                                                                                                          \
  template <class T, if_number<T> = 0>                                                                       \
  friend constexpr bfloat16 operator symbol(const T& a, const bfloat16& b) noexcept {                        \
    return bfloat16(static_cast<float>(a) symbol static_cast<float>(b));                                     \
  }                                                                                                          \
  friend constexpr bfloat16& operator symbol## = (bfloat16 & a, const bfloat16& b) noexcept {                \
    return a = a symbol b;                                                                                   \
  }
  FALX_BFLOAT16_ARITHMETIC(+)
  FALX_BFLOAT16_ARITHMETIC(-)
  FALX_BFLOAT16_ARITHMETIC(*)
  FALX_BFLOAT16_ARITHMETIC(/)
#undef FALX_BFLOAT16_ARITHMETIC

#define FALX_BFLOAT16_COMPARISON(symbol)                                                                     \
  friend constexpr bool operator symbol(const bfloat16& a, const bfloat16& b) noexcept {                     \
    return static_cast<float>(a) symbol static_cast<float>(b);                                               \
  }                                                                                                          \
  template <class T, if_number<T> = 0>                                                                       \
  friend constexpr bool operator symbol(const bfloat16& a, const T& b) noexcept {                            \
    return static_cast<float>(a) symbol static_cast<float>(b);                                               \
  }                                                                                                          \
  template <class T, if_number<T> = 0>                                                                       \
  friend constexpr bool operator symbol(const T& a, const bfloat16& b) noexcept {                            \
    return static_cast<float>(a) symbol static_cast<float>(b);                                               \
  }
  FALX_BFLOAT16_COMPARISON(==)
  FALX_BFLOAT16_COMPARISON(!=)
  FALX_BFLOAT16_COMPARISON(<)
  FALX_BFLOAT16_COMPARISON(>)
  FALX_BFLOAT16_COMPARISON(<=)
  FALX_BFLOAT16_COMPARISON(>=)
#undef FALX_BFLOAT16_COMPARISON

private:
  std::uint16_t bits_;
};

static_assert(sizeof(bfloat16) == 2 && std::is_trivially_copyable_v<bfloat16>);

} // namespace ext::oneapi
} // namespace sycl

namespace std {

/// The limits of bfloat16, which known identities ask for (SYCL 2020 §4.17.2).
template <>
struct numeric_limits<sycl::ext::oneapi::bfloat16> : sycl::detail::binary_floating_point_limits {
private:
  using number = sycl::ext::oneapi::bfloat16;
  static constexpr number of(std::uint16_t bits) noexcept { return sycl::bit_cast<number>(bits); }

public:
  static constexpr bool is_iec559 = false;
  static constexpr int digits = 8;
  static constexpr int digits10 = 2;
  static constexpr int max_digits10 = 4;
  static constexpr int min_exponent = -125;
  static constexpr int min_exponent10 = -37;
  static constexpr int max_exponent = 128;
  static constexpr int max_exponent10 = 38;

  static constexpr number min() noexcept { return of(0x0080); }
  static constexpr number lowest() noexcept { return of(0xff7f); }
  static constexpr number max() noexcept { return of(0x7f7f); }
  static constexpr number epsilon() noexcept { return of(0x3c00); }
  static constexpr number round_error() noexcept { return of(0x3f00); }
  static constexpr number infinity() noexcept { return of(0x7f80); }
  static constexpr number quiet_NaN() noexcept { return of(0x7fc0); }
  static constexpr number signaling_NaN() noexcept { return of(0x7fa0); }
  static constexpr number denorm_min() noexcept { return of(0x0001); }
};

/// Equal numbers have equal hashes: both zeros give the same.
template <>
struct hash<sycl::ext::oneapi::bfloat16> {
  std::size_t operator()(sycl::ext::oneapi::bfloat16 value) const noexcept {
    return value ? sycl::bit_cast<std::uint16_t>(value) : 0;
  }
};

} // namespace std
