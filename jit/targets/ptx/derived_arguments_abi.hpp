// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string_view>

/// \file
/// What the host computes for each launch of a kernel, for all work-items: the contract between
/// derived_arguments.cpp, which writes it behind the PTX, and runtime/backends/cuda, which keeps it there
/// when PTX is assembled, and computes it.
///
/// The last line of the code is DERIVED_ARGUMENTS and words, each with a space before it, that are
/// instructions for a stack of numbers: NAME:BITS, or NAME:BITS:NUMBER. Operands are taken from the top, the
/// last one first, as numbers of BITS bits unless said otherwise. `result` stores the top in the kernel's
/// third parameter, behind the results before it, aligned to its size. Arithmetic wraps around, divisions by
/// zero are 0, and shifts by BITS and more as well; numbers of floating-point types are their bits.

namespace falx::ptx {

constexpr std::string_view DERIVED_ARGUMENTS = "// falx-derived-arguments:";

/// Bytes of the third parameter, which there is if there are results, and numbers on the stack.
constexpr std::size_t MOST_DERIVED_BYTES = 256, MOST_DERIVED_OPERANDS = 32;

/// The name of each, the word, and how many operands it has. Those of floating-point numbers come last.
///
/// function, launch and constant: BITS of the function object at byte NUMBER, of launch_arguments, and
/// NUMBER. sign_extend: from BITS to 64; truncate, float_extend, float_truncate and float_of_…: to BITS.
/// absolute: without a sign, so that there is one of the least number.
///
/// half_… and whole_…: by which x / d is found with multiply_high(a, b), the upper half of their product.
/// half_shift is the least s of which 2^s is not below d, at most BITS - 1, and half_multiplier
/// 2^(BITS - 1 + s) / d, rounded up:
///   x / d = multiply_high(2 * x, half_multiplier) >> half_shift    for x below 2^(BITS - 1).
/// whole_shift has no such limit, and whole_multiplier is 2^BITS * (2^s - d) / d, rounded down, and 1:
///   t = multiply_high(x, whole_multiplier)
///   x / d = (((x - t) >> min(s, 1)) + t) >> max(s - 1, 0)
/// (Granlund and Montgomery, Division by invariant integers using multiplication, 1994).
// clang-format off
#define FALX_DERIVED_OPERATIONS(OPERATION) \
  OPERATION(function, "function", 0) \
  OPERATION(launch, "launch", 0) \
  OPERATION(constant, "constant", 0) \
  OPERATION(result, "result", 1) \
  OPERATION(truncate, "trunc", 1) \
  OPERATION(sign_extend, "sext", 1) \
  OPERATION(add, "add", 2) \
  OPERATION(subtract, "sub", 2) \
  OPERATION(multiply, "mul", 2) \
  OPERATION(unsigned_divide, "udiv", 2) \
  OPERATION(signed_divide, "sdiv", 2) \
  OPERATION(unsigned_remainder, "urem", 2) \
  OPERATION(signed_remainder, "srem", 2) \
  OPERATION(shift_left, "shl", 2) \
  OPERATION(logical_shift_right, "lshr", 2) \
  OPERATION(arithmetic_shift_right, "ashr", 2) \
  OPERATION(bit_and, "and", 2) \
  OPERATION(bit_or, "or", 2) \
  OPERATION(bit_xor, "xor", 2) \
  OPERATION(unsigned_minimum, "umin", 2) \
  OPERATION(unsigned_maximum, "umax", 2) \
  OPERATION(signed_minimum, "smin", 2) \
  OPERATION(signed_maximum, "smax", 2) \
  OPERATION(absolute, "abs", 1) \
  OPERATION(half_multiplier, "half_multiplier", 1) \
  OPERATION(half_shift, "half_shift", 1) \
  OPERATION(whole_multiplier, "whole_multiplier", 1) \
  OPERATION(whole_shift, "whole_shift", 1) \
  OPERATION(float_add, "fadd", 2) \
  OPERATION(float_subtract, "fsub", 2) \
  OPERATION(float_multiply, "fmul", 2) \
  OPERATION(float_divide, "fdiv", 2) \
  OPERATION(float_square_root, "fsqrt", 1) \
  OPERATION(float_negate, "fneg", 1) \
  OPERATION(float_extend, "fpext", 1) \
  OPERATION(float_truncate, "fptrunc", 1) \
  OPERATION(float_of_signed_32, "sitofp32", 1) \
  OPERATION(float_of_signed_64, "sitofp64", 1) \
  OPERATION(float_of_unsigned_32, "uitofp32", 1) \
  OPERATION(float_of_unsigned_64, "uitofp64", 1)
// clang-format on

#define FALX_NAME(name, word, operands) name,
enum class derived_operation : unsigned char { FALX_DERIVED_OPERATIONS(FALX_NAME) };
#undef FALX_NAME

struct derived_operation_form {
  std::string_view word;
  unsigned operands;
};
#define FALX_FORM(name, word, operands) {word, operands},
/// By derived_operation.
constexpr derived_operation_form DERIVED_OPERATION_FORMS[] = {FALX_DERIVED_OPERATIONS(FALX_FORM)};
#undef FALX_FORM
#undef FALX_DERIVED_OPERATIONS

constexpr const derived_operation_form& form_of(derived_operation operation) {
  return DERIVED_OPERATION_FORMS[static_cast<std::size_t>(operation)];
}

} // namespace falx::ptx
