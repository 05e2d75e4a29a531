// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_derived_arguments.hpp"

#include <algorithm>
#include <bit>
#ifdef __SSE2__
#include <xmmintrin.h>
#else
#include <cfenv>
#endif
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <stdexcept>

namespace falx {
namespace {

using ptx::derived_operation;
__extension__ using uint128 = unsigned __int128;

std::int64_t sign_extended(std::uint64_t value, unsigned bits) noexcept {
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

/// The least s of which 2^s is not below \p value.
unsigned logarithm(std::uint64_t value) noexcept {
  return value <= 1 ? 0 : static_cast<unsigned>(std::bit_width(value - 1));
}

std::uint64_t half_shift(std::uint64_t divisor, unsigned bits) noexcept {
  return std::min(logarithm(divisor), bits - 1);
}

/// Wide has twice as many bits.
template <class Wide>
std::uint64_t half_multiplier(std::uint64_t divisor, unsigned bits) noexcept {
  const Wide power = Wide{1} << (bits - 1 + half_shift(divisor, bits));
  return divisor == 0 ? 0 : static_cast<std::uint64_t>((power + divisor - 1) / divisor);
}

template <class Wide>
std::uint64_t whole_multiplier(std::uint64_t divisor, unsigned bits) noexcept {
  const Wide rest = (Wide{1} << logarithm(divisor)) - divisor;
  return divisor == 0 ? 0 : static_cast<std::uint64_t>((rest << bits) / divisor) + 1;
}

/// Of signed numbers. The least one has no negative.
std::uint64_t signed_division(std::int64_t a, std::int64_t b, bool is_remainder) noexcept {
  if (b == 0)
    return 0;
  if (b == -1)
    return is_remainder ? 0 : -static_cast<std::uint64_t>(a);
  return static_cast<std::uint64_t>(is_remainder ? a % b : a / b);
}

double to_double(std::uint64_t bits) noexcept {
  return std::bit_cast<double>(bits);
}
float to_float(std::uint64_t bits) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
std::uint64_t to_bits(double value) noexcept {
  return std::bit_cast<std::uint64_t>(value);
}
std::uint64_t to_bits(float value) noexcept {
  return std::bit_cast<std::uint32_t>(value);
}

template <class Number>
std::uint64_t compute_float(derived_operation operation, Number a, Number b) noexcept {
  switch (operation) {
  case derived_operation::float_add:
    return to_bits(a + b);
  case derived_operation::float_subtract:
    return to_bits(a - b);
  case derived_operation::float_multiply:
    return to_bits(a * b);
  case derived_operation::float_divide:
    return to_bits(a / b);
  case derived_operation::float_square_root:
    return to_bits(std::sqrt(a));
  default:
    return to_bits(-a);
  }
}

template <class Integer>
std::uint64_t compute_float_of(Integer value, unsigned bits) noexcept {
  return bits == 32 ? to_bits(static_cast<float>(value)) : to_bits(static_cast<double>(value));
}

/// With one operand \p a, or two.
std::uint64_t compute_one(derived_operation operation, unsigned bits, std::uint64_t a,
                          std::uint64_t b) noexcept {
  const std::int64_t signed_a = sign_extended(a, bits), signed_b = sign_extended(b, bits);
  switch (operation) {
  case derived_operation::truncate:
    return a;
  case derived_operation::sign_extend:
    return static_cast<std::uint64_t>(signed_a);
  case derived_operation::add:
    return a + b;
  case derived_operation::subtract:
    return a - b;
  case derived_operation::multiply:
    return a * b;
  case derived_operation::unsigned_divide:
    return b == 0 ? 0 : a / b;
  case derived_operation::signed_divide:
    return signed_division(signed_a, signed_b, /*is_remainder=*/false);
  case derived_operation::unsigned_remainder:
    return b == 0 ? 0 : a % b;
  case derived_operation::signed_remainder:
    return signed_division(signed_a, signed_b, /*is_remainder=*/true);
  case derived_operation::shift_left:
    return b >= bits ? 0 : a << b;
  case derived_operation::logical_shift_right:
    return b >= bits ? 0 : a >> b;
  case derived_operation::arithmetic_shift_right:
    return b >= bits ? 0 : static_cast<std::uint64_t>(signed_a >> b);
  case derived_operation::bit_and:
    return a & b;
  case derived_operation::bit_or:
    return a | b;
  case derived_operation::bit_xor:
    return a ^ b;
  case derived_operation::unsigned_minimum:
    return std::min(a, b);
  case derived_operation::unsigned_maximum:
    return std::max(a, b);
  case derived_operation::signed_minimum:
    return signed_a < signed_b ? a : b;
  case derived_operation::signed_maximum:
    return signed_a > signed_b ? a : b;
  case derived_operation::absolute:
    return signed_a < 0 ? -a : a;
  case derived_operation::half_multiplier:
    return bits == 64 ? half_multiplier<uint128>(a, bits) : half_multiplier<std::uint64_t>(a, bits);
  case derived_operation::half_shift:
    return half_shift(a, bits);
  case derived_operation::whole_multiplier:
    return bits == 64 ? whole_multiplier<uint128>(a, bits) : whole_multiplier<std::uint64_t>(a, bits);
  case derived_operation::whole_shift:
    return logarithm(a);
  case derived_operation::float_extend:
    return to_bits(static_cast<double>(to_float(a)));
  case derived_operation::float_truncate:
    return to_bits(static_cast<float>(to_double(a)));
  case derived_operation::float_of_signed_32:
    return compute_float_of(static_cast<std::int32_t>(a), bits);
  case derived_operation::float_of_signed_64:
    return compute_float_of(static_cast<std::int64_t>(a), bits);
  case derived_operation::float_of_unsigned_32:
    return compute_float_of(static_cast<std::uint32_t>(a), bits);
  case derived_operation::float_of_unsigned_64:
    return compute_float_of(a, bits);
  default:
    return bits == 32 ? compute_float(operation, to_float(a), to_float(b))
                      : compute_float(operation, to_double(a), to_double(b));
  }
}

bool has_number(derived_operation operation) noexcept {
  return ptx::form_of(operation).operands == 0;
}

bool is_float_operation(derived_operation operation) noexcept {
  return operation >= derived_operation::float_add;
}

/// A number of so many bits, of little-endian hosts; memcpy of a size that is not known is a call.
std::uint64_t read(const std::byte* from, unsigned bits) noexcept {
  std::uint64_t value = 0;
  if (bits == 64)
    std::memcpy(&value, from, 8);
  else if (bits == 32)
    std::memcpy(&value, from, 4);
  else
    std::memcpy(&value, from, bits / 8);
  return value;
}
void write(std::byte* to, unsigned bits, std::uint64_t value) noexcept {
  if (bits == 64)
    std::memcpy(to, &value, 8);
  else if (bits == 32)
    std::memcpy(to, &value, 4);
  else
    std::memcpy(to, &value, bits / 8);
}

/// Where its next result goes.
std::size_t place_of_result(std::size_t end, unsigned bits) noexcept {
  const std::size_t bytes = bits / 8; // a power of two
  return (end + bytes - 1) & ~(bytes - 1);
}

#ifdef __SSE2__
/// Of the registers that the compiler computes with; <cfenv> takes half a microsecond, for x87's as well.
using arithmetic_state = unsigned;
arithmetic_state take_arithmetic_state() noexcept {
  constexpr unsigned DEFAULT = 0x1f80;
  const unsigned before = _mm_getcsr();
  _mm_setcsr(DEFAULT);
  return before;
}
void restore(arithmetic_state before) noexcept {
  _mm_setcsr(before);
}
#else
using arithmetic_state = std::fenv_t;
arithmetic_state take_arithmetic_state() noexcept {
  std::fenv_t before;
  std::fegetenv(&before);
  std::fesetenv(FE_DFL_ENV);
  return before;
}
void restore(const arithmetic_state& before) noexcept {
  std::fesetenv(&before);
}
#endif

[[noreturn]] void refuse(std::string_view what) {
  throw std::invalid_argument(fmt::format("'{}' is nothing that the host computes for a launch", what));
}

} // namespace

std::string_view derived_arguments_line(std::string_view code) noexcept {
  // Behind all else but the end of text; code has no such line mostly, and is long.
  while (code.ends_with('\0'))
    code.remove_suffix(1);
  if (!code.ends_with('\n'))
    return {};
  const std::size_t before = code.rfind('\n', code.size() - 2); // of machine code, if there is one
  const std::string_view last = code.substr(before == std::string_view::npos ? 0 : before + 1);
  const std::size_t begin = last.rfind(ptx::DERIVED_ARGUMENTS);
  return begin == std::string_view::npos ? std::string_view() : last.substr(begin);
}

cuda_derived_arguments::cuda_derived_arguments(std::string_view line) {
  if (!line.empty())
    line.remove_prefix(ptx::DERIVED_ARGUMENTS.size());
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(" \n"), line.size()));
    if (line.empty())
      break;
    const std::size_t end = std::min(line.find_first_of(" \n"), line.size());
    instructions_.push_back(parse(line.substr(0, end)));
    has_floats_ = has_floats_ || is_float_operation(instructions_.back().operation);
    line.remove_prefix(end);
  }
  check();
}

cuda_derived_arguments::instruction cuda_derived_arguments::parse(std::string_view word) {
  const std::size_t name_end = word.find(':');
  const auto* const form = std::ranges::find(ptx::DERIVED_OPERATION_FORMS, word.substr(0, name_end),
                                             &ptx::derived_operation_form::word);
  if (name_end == std::string_view::npos || form == std::end(ptx::DERIVED_OPERATION_FORMS))
    refuse(word);
  const auto operation = static_cast<derived_operation>(form - std::begin(ptx::DERIVED_OPERATION_FORMS));
  instruction result{operation, ptx::form_of(operation).operands, 0, ~std::uint64_t{0}, 0};
  const char* const end = word.data() + word.size();
  std::from_chars_result read = std::from_chars(word.data() + name_end + 1, end, result.bits);
  if (read.ec == std::errc() && has_number(result.operation))
    read = read.ptr != end && *read.ptr == ':' ? std::from_chars(read.ptr + 1, end, result.number)
                                               : std::from_chars_result{end, std::errc::invalid_argument};
  const bool is_float = is_float_operation(result.operation);
  const bool has_bits =
      result.bits == 32 || result.bits == 64 || (!is_float && (result.bits == 8 || result.bits == 16));
  if (read.ec != std::errc() || read.ptr != end || !has_bits)
    refuse(word);
  if (operation != derived_operation::sign_extend)
    result.mask = ~std::uint64_t{0} >> (64 - result.bits);
  return result;
}

/// That no computation leaves the stack and the results.
void cuda_derived_arguments::check() const {
  std::size_t depth = 0, end = 0;
  for (const instruction& each : instructions_) {
    const bool is_result = each.operation == derived_operation::result;
    if (depth < each.operands)
      refuse(ptx::form_of(each.operation).word);
    depth = depth - each.operands + (is_result ? 0 : 1);
    if (is_result)
      end = place_of_result(end, each.bits) + each.bits / 8;
    if (depth > ptx::MOST_DERIVED_OPERANDS || end > ptx::MOST_DERIVED_BYTES)
      refuse(ptx::form_of(each.operation).word);
  }
}

void cuda_derived_arguments::compute(const void* function, const ptx::launch_arguments& launch,
                                     results& to) const noexcept {
  if (!has_floats_) {
    compute_in_order(function, launch, to);
    return;
  }
  // As work-items compute: to nearest, with subnormal numbers.
  const arithmetic_state before = take_arithmetic_state();
  compute_in_order(function, launch, to);
  restore(before);
}

void cuda_derived_arguments::compute_in_order(const void* function, const ptx::launch_arguments& launch,
                                              results& to) const noexcept {
  std::array<std::uint64_t, ptx::MOST_DERIVED_OPERANDS> stack;
  std::size_t depth = 0, end = 0;
  for (const instruction& each : instructions_) {
    depth -= each.operands;
    if (each.operation == derived_operation::result) {
      const std::size_t place = place_of_result(end, each.bits);
      write(to.data() + place, each.bits, stack[depth]);
      end = place + each.bits / 8;
      continue;
    }
    std::uint64_t value = each.number;
    if (each.operation == derived_operation::function || each.operation == derived_operation::launch) {
      const bool is_captured = each.operation == derived_operation::function;
      value = read(static_cast<const std::byte*>(is_captured ? function : &launch) + each.number, each.bits);
    } else if (each.operands != 0) {
      value = compute_one(each.operation, each.bits, stack[depth], each.operands == 2 ? stack[depth + 1] : 0);
    }
    stack[depth++] = value & each.mask;
  }
}

} // namespace falx
