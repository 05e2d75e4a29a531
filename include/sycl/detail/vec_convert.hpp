// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/bit_cast.hpp"
#include "sycl/detail/elementwise.hpp"
#include "sycl/half.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

namespace sycl {

/// How vec::convert rounds (SYCL 2020 §4.14.2.5): automatic goes by the type of the vec that is converted,
/// rte from floating-point types, also to integers.
enum class rounding_mode { automatic, rte, rtz, rtp, rtn };

namespace detail {

/// The number next to a finite or infinite floating-point \p value in the direction of \p up.
template <class T>
constexpr T next_towards(T value, bool up) {
  using bits = unsigned_of_size<sizeof(T)>;
  constexpr bits sign = static_cast<bits>(bits(1) << (8 * sizeof(T) - 1));
  const bits representation = sycl::bit_cast<bits>(value);
  if ((representation & static_cast<bits>(~sign)) == 0) // either zero
    return sycl::bit_cast<T>(static_cast<bits>(up ? 1 : sign | 1));
  const bool away_from_zero = ((representation & sign) == 0) == up;
  return sycl::bit_cast<T>(static_cast<bits>(away_from_zero ? representation + 1 : representation - 1));
}

/// \p value rounded to an integer in floating point.
template <rounding_mode Mode, class T>
inline T round_to_integral(T value) {
  if constexpr (!std::is_floating_point_v<T>) // half and bfloat16
    return T(round_to_integral<Mode>(static_cast<float>(value)));
  else if constexpr (Mode == rounding_mode::rte || Mode == rounding_mode::automatic)
    return __builtin_elementwise_rint(value);
  else if constexpr (Mode == rounding_mode::rtp)
    return __builtin_elementwise_ceil(value);
  else if constexpr (Mode == rounding_mode::rtn)
    return __builtin_elementwise_floor(value);
  else
    return __builtin_elementwise_trunc(value);
}

/// Compares a number with what it was rounded to: 1 if \p rounded is above \p exact, -1 if below. To is no
/// more precise than From in any range where they differ.
template <class From, class To>
constexpr int compare_rounded(From exact, To rounded) {
  if constexpr (is_floating<From>) {
    const From back = static_cast<From>(rounded);
    return back > exact ? 1 : back < exact ? -1 : 0;
  } else {
    // Powers of two are exact in double; what lies outside From's range has been rounded (or overflowed) to
    // there.
    constexpr double limit = 2.0 * static_cast<double>(From(1) << (std::numeric_limits<From>::digits - 1));
    const double wide = static_cast<double>(rounded);
    if (!(wide < limit))
      return 1;
    if (wide < (std::is_signed_v<From> ? -limit : 0.0))
      return -1;
    const From back = static_cast<From>(rounded);
    return back > exact ? 1 : back < exact ? -1 : 0;
  }
}

/// \p value in a type that does not have all its digits, not to nearest: rounded to nearest, and one step
/// back if that went the wrong way.
template <class To, rounding_mode Mode, class From>
inline To step_from_nearest(From value) {
  const To nearest = static_cast<To>(value);
  const int error = compare_rounded(value, nearest);
  const bool towards_zero = Mode == rounding_mode::rtz;
  const bool too_high = error > 0 && (Mode == rounding_mode::rtn || (towards_zero && value > From(0)));
  const bool too_low = error < 0 && (Mode == rounding_mode::rtp || (towards_zero && value < From(0)));
  return too_high ? next_towards(nearest, false) : too_low ? next_towards(nearest, true) : nearest;
}

template <class To, rounding_mode Mode, class From>
struct directed_conversion {
  static To of(From value) { return step_from_nearest<To, Mode>(value); }
};
/// Conversions that GPUs have as instructions have names by which the JIT knows them
/// (jit/targets/ptx/native_functions.cpp).
#define FALX_DIRECTED_CONVERSION(name, To, From, mode)                                                       \
  inline To name##_##mode(From value) noexcept __asm__("falx." #name "_" #mode);                             \
  inline To name##_##mode(From value) noexcept {                                                             \
    return step_from_nearest<To, rounding_mode::mode>(value);                                                \
  }                                                                                                          \
  template <>                                                                                                \
  struct directed_conversion<To, rounding_mode::mode, From> {                                                \
    static To of(From value) { return name##_##mode(value); }                                                \
  };
#define FALX_DIRECTED_CONVERSIONS(name, To, From)                                                            \
  FALX_DIRECTED_CONVERSION(name, To, From, rtz)                                                              \
  FALX_DIRECTED_CONVERSION(name, To, From, rtp)                                                              \
  FALX_DIRECTED_CONVERSION(name, To, From, rtn)
FALX_DIRECTED_CONVERSIONS(double_to_float, float, double)
FALX_DIRECTED_CONVERSIONS(int32_to_float, float, std::int32_t)
FALX_DIRECTED_CONVERSIONS(uint32_to_float, float, std::uint32_t)
FALX_DIRECTED_CONVERSIONS(int64_to_float, float, std::int64_t)
FALX_DIRECTED_CONVERSIONS(uint64_to_float, float, std::uint64_t)
FALX_DIRECTED_CONVERSIONS(int64_to_double, double, std::int64_t)
FALX_DIRECTED_CONVERSIONS(uint64_to_double, double, std::uint64_t)
#undef FALX_DIRECTED_CONVERSIONS
#undef FALX_DIRECTED_CONVERSION

/// Converts one element (SYCL 2020 §4.14.2.1, vec::convert).
template <class To, rounding_mode Mode, class From>
inline To convert_element(From value) {
  if constexpr (std::is_same_v<To, From>)
    return value;
  else if constexpr (std::is_same_v<From, std::byte>)
    return convert_element<To, Mode>(static_cast<unsigned char>(value));
  else if constexpr (std::is_same_v<To, bool>)
    return value != From(0);
  else if constexpr (std::is_same_v<To, std::byte>)
    return static_cast<std::byte>(convert_element<unsigned char, Mode>(value));
  else if constexpr (std::is_same_v<From, bool>)
    return static_cast<To>(value);
  else if constexpr (is_floating<From> && !is_floating<To>)
    return static_cast<To>(round_to_integral<Mode>(value));
  else if constexpr (!is_floating<To> || Mode == rounding_mode::automatic || Mode == rounding_mode::rte ||
                     std::numeric_limits<To>::digits >= std::numeric_limits<From>::digits)
    return static_cast<To>(value);
  else {
    using exact = std::conditional_t<is_floating<From>, From,
                                     std::conditional_t<std::is_signed_v<From>, signed_of_size<sizeof(From)>,
                                                        unsigned_of_size<sizeof(From)>>>;
    return directed_conversion<To, Mode, exact>::of(static_cast<exact>(value));
  }
}

} // namespace detail
} // namespace sycl
