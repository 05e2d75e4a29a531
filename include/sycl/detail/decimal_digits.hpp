// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstdint>

/// \file
/// Exact decimal digits of a double, for sycl::stream: device code has no C library to print with.

namespace sycl::detail {

/// Hands out the decimal digits of a finite positive double from the first one on, exactly. The integer part
/// is cut into groups of nine digits at once; the fraction is a fixed-point number that is multiplied by 10^9
/// for each further group.
class decimal_digit_source {
public:
  explicit decimal_digit_source(double value) {
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(bits));
    const int biased = static_cast<int>(bits >> 52 & 0x7ff);
    std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    if (biased != 0)
      mantissa |= std::uint64_t{1} << 52;
    // value = mantissa * 2^exponent
    const int exponent = (biased != 0 ? biased : 1) - 1075;
    if (exponent >= 0) {
      cut_integer(mantissa, exponent);
      return;
    }
    const int shift = -exponent;
    if (shift < 64) {
      cut_integer(mantissa >> shift, 0);
      mantissa &= (std::uint64_t{1} << shift) - 1;
    }
    place_fraction(mantissa, FRACTION_WORDS * 32 - shift);
  }

  /// Number of digits before the decimal point, leading zeros included.
  int integer_digits() const { return group_count_ * 9; }

  int next() {
    if (divisor_ == 0) {
      group_ = position_ < group_count_ ? groups_[group_count_ - 1 - position_] : next_fraction_group();
      ++position_;
      divisor_ = 100000000;
    }
    const int digit = static_cast<int>(group_ / divisor_);
    group_ %= divisor_;
    divisor_ /= 10;
    return digit;
  }

  /// Whether all digits that next would give are zeros.
  bool rest_is_zero() const {
    std::uint32_t rest = group_;
    for (int i = position_; i < group_count_; ++i)
      rest |= groups_[group_count_ - 1 - i];
    for (int i = 0; i < FRACTION_WORDS; ++i)
      rest |= fraction_[i];
    return rest == 0;
  }

private:
  static constexpr int FRACTION_WORDS = 34; // 2^-1074 is the smallest double
  static constexpr int INTEGER_WORDS = 32;
  static constexpr std::uint32_t GROUP = 1000000000;

  /// Splits mantissa * 2^shift into groups, the last digits first.
  void cut_integer(std::uint64_t mantissa, int shift) {
    std::uint32_t words[INTEGER_WORDS + 1] = {};
    const int word = shift / 32;
    const int bit = shift % 32;
    words[word] = static_cast<std::uint32_t>(mantissa << bit);
    if (word + 1 <= INTEGER_WORDS)
      words[word + 1] = static_cast<std::uint32_t>(mantissa << bit >> 32);
    if (word + 2 <= INTEGER_WORDS && bit != 0)
      words[word + 2] = static_cast<std::uint32_t>(mantissa >> (64 - bit));
    int top = word + 2 <= INTEGER_WORDS ? word + 2 : INTEGER_WORDS;
    while (true) {
      while (top >= 0 && words[top] == 0)
        --top;
      if (top < 0)
        return;
      std::uint64_t remainder = 0;
      for (int i = top; i >= 0; --i) {
        const std::uint64_t dividend = remainder << 32 | words[i];
        words[i] = static_cast<std::uint32_t>(dividend / GROUP);
        remainder = dividend % GROUP;
      }
      groups_[group_count_++] = static_cast<std::uint32_t>(remainder);
    }
  }

  void place_fraction(std::uint64_t mantissa, int shift) {
    const int word = shift / 32;
    const int bit = shift % 32;
    fraction_[word] = static_cast<std::uint32_t>(mantissa << bit);
    if (word + 1 < FRACTION_WORDS)
      fraction_[word + 1] = static_cast<std::uint32_t>(mantissa << bit >> 32);
    if (word + 2 < FRACTION_WORDS && bit != 0)
      fraction_[word + 2] = static_cast<std::uint32_t>(mantissa >> (64 - bit));
  }

  std::uint32_t next_fraction_group() {
    std::uint64_t carry = 0;
    for (int i = 0; i < FRACTION_WORDS; ++i) {
      const std::uint64_t product = std::uint64_t{fraction_[i]} * GROUP + carry;
      fraction_[i] = static_cast<std::uint32_t>(product);
      carry = product >> 32;
    }
    return static_cast<std::uint32_t>(carry);
  }

  std::uint32_t groups_[36] = {};
  std::uint32_t fraction_[FRACTION_WORDS] = {};
  int group_count_ = 0;
  int position_ = 0;
  std::uint32_t group_ = 0;
  std::uint32_t divisor_ = 0;
};

/// A number 0.d0d1d2… * 10^exponent, rounded to \p count digits, ties to even.
struct rounded_decimal {
  static constexpr int CAPACITY = 400;
  char digits[CAPACITY];
  int count = 0;
  int exponent = 0;

  /// Rounds to \p wanted digits behind the decimal point if \p fixed, else to \p wanted significant digits.
  rounded_decimal(double value, int wanted, bool fixed) {
    if (value == 0) {
      count = fixed ? 0 : wanted;
      for (int i = 0; i < count; ++i)
        digits[i] = 0;
      exponent = fixed ? 0 : 1;
      return;
    }
    decimal_digit_source source(value);
    exponent = source.integer_digits();
    int digit = source.next();
    while (digit == 0) {
      --exponent;
      digit = source.next();
    }
    int length = fixed ? exponent + wanted : wanted;
    if (length < 0)
      return; // less than half a unit of the last place
    if (length > CAPACITY - 1)
      length = CAPACITY - 1;
    for (; count < length; ++count) {
      digits[count] = static_cast<char>(digit);
      digit = source.next();
    }
    const bool odd = count > 0 && digits[count - 1] % 2 != 0;
    if (digit > 5 || (digit == 5 && (odd || !source.rest_is_zero())))
      increment(fixed);
  }

private:
  void increment(bool fixed) {
    int i = count - 1;
    while (i >= 0 && digits[i] == 9)
      digits[i--] = 0;
    if (i >= 0) {
      ++digits[i];
      return;
    }
    // All digits were nines: the number becomes a power of ten.
    ++exponent;
    if (fixed || count == 0)
      digits[count++] = 0;
    digits[0] = 1;
  }
};

} // namespace sycl::detail
