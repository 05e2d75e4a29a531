// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/decimal_digits.hpp"

#include <cstdint>

/// \file
/// Numbers as text for sycl::stream, in the notations of the C++ streams.

namespace sycl::detail {

enum class float_notation : unsigned char { general, fixed, scientific, hexadecimal };

/// What manipulators set for the rest of a statement (SYCL 2020 §4.16.1).
struct stream_format {
  int width = 0;
  int precision = 6;
  unsigned char base = 10;
  bool show_base = false;
  bool show_positive = false;
  float_notation notation = float_notation::general;
};

/// Room for one formatted number.
struct number_text {
  static constexpr int CAPACITY = 480;
  /// The largest precision: a statement with more gets this many digits.
  static constexpr int MAX_PRECISION = 60;
  char text[CAPACITY];
  int length = 0;

  void put(char c) {
    if (length < CAPACITY)
      text[length++] = c;
  }
  void put(const char* string) {
    while (*string != 0)
      put(*string++);
  }
};

inline void format_magnitude(number_text& out, std::uint64_t value, unsigned base) {
  char reversed[24];
  int count = 0;
  do {
    const unsigned digit = static_cast<unsigned>(value % base);
    reversed[count++] = static_cast<char>(digit < 10 ? '0' + digit : 'a' + (digit - 10));
    value /= base;
  } while (value != 0);
  while (count > 0)
    out.put(reversed[--count]);
}

/// \p bits is the two's complement of \p size bytes: bases other than ten show it as it is.
[[gnu::cold]] inline void format_integer(number_text& out, const stream_format& format, std::uint64_t bits,
                                         bool is_signed, unsigned size) {
  const bool negative = is_signed && (bits >> 63) != 0;
  if (format.base == 10) {
    if (negative)
      out.put('-');
    else if (is_signed && format.show_positive)
      out.put('+');
    format_magnitude(out, negative ? 0 - bits : bits, 10);
    return;
  }
  if (size < 8)
    bits &= (std::uint64_t{1} << (size * 8)) - 1;
  if (format.show_base && bits != 0)
    out.put(format.base == 16 ? "0x" : "0");
  format_magnitude(out, bits, format.base);
}

inline void format_fixed(number_text& out, const rounded_decimal& number, int decimals) {
  int next = 0;
  if (number.exponent <= 0)
    out.put('0');
  for (int i = 0; i < number.exponent; ++i, ++next)
    out.put(static_cast<char>('0' + (next < number.count ? number.digits[next] : 0)));
  if (decimals > 0)
    out.put('.');
  for (int i = 0; i < decimals; ++i) {
    const bool leading_zero = number.exponent + i < 0 || next >= number.count;
    out.put(static_cast<char>('0' + (leading_zero ? 0 : number.digits[next])));
    if (number.exponent + i >= 0)
      ++next;
  }
}

inline void format_exponent(number_text& out, char letter, int exponent, int least_digits) {
  out.put(letter);
  out.put(exponent < 0 ? '-' : '+');
  const unsigned magnitude = static_cast<unsigned>(exponent < 0 ? -exponent : exponent);
  if (magnitude < 10 && least_digits > 1)
    out.put('0');
  format_magnitude(out, magnitude, 10);
}

inline void format_scientific(number_text& out, const rounded_decimal& number, int decimals, int exponent) {
  out.put(static_cast<char>('0' + number.digits[0]));
  if (decimals > 0)
    out.put('.');
  for (int i = 1; i <= decimals; ++i)
    out.put(static_cast<char>('0' + number.digits[i]));
  format_exponent(out, 'e', exponent, 2);
}

inline void format_hexadecimal(number_text& out, double value) {
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
  int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  out.put("0x");
  out.put(exponent != 0 ? '1' : '0');
  if (mantissa != 0)
    out.put('.');
  exponent = exponent != 0 ? exponent - 1023 : mantissa != 0 ? -1022 : 0;
  for (; mantissa != 0; mantissa = mantissa << 4 & ((std::uint64_t{1} << 52) - 1))
    format_magnitude(out, mantissa >> 48, 16);
  format_exponent(out, 'p', exponent, 1);
}

[[gnu::cold]] inline void format_float(number_text& out, const stream_format& format, double value) {
  if (__builtin_signbit(value)) {
    out.put('-');
    value = -value;
  } else if (format.show_positive) {
    out.put('+');
  }
  if (value != value) {
    out.put("nan");
    return;
  }
  if (value == __builtin_huge_val()) {
    out.put("inf");
    return;
  }
  int precision = format.precision < 0 ? 6 : format.precision;
  if (precision > number_text::MAX_PRECISION)
    precision = number_text::MAX_PRECISION;
  if (format.notation == float_notation::hexadecimal) {
    format_hexadecimal(out, value);
    return;
  }
  // One rounding and one call of each notation: the JIT inlines all of this at every use.
  bool fixed = format.notation == float_notation::fixed;
  const bool general = format.notation == float_notation::general;
  const int significant = general ? (precision > 0 ? precision : 1) : precision + 1;
  const rounded_decimal number(value, fixed ? precision : significant, fixed);
  const int exponent = number.exponent - 1;
  int decimals = precision;
  if (general) {
    // The shorter of fixed and scientific, without trailing zeros.
    int used = number.count < significant ? number.count : significant;
    while (used > 1 && number.digits[used - 1] == 0)
      --used;
    fixed = exponent >= -4 && exponent < significant;
    decimals = fixed ? used - number.exponent : used - 1;
  }
  if (fixed)
    format_fixed(out, number, decimals);
  else
    format_scientific(out, number, decimals, exponent);
}

} // namespace sycl::detail
