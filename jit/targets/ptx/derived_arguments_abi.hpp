// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <iterator>
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

enum class derived_operation : unsigned char {
  function, // BITS of the function object at byte NUMBER
  launch,   // of launch_arguments
  constant,
  result,
  truncate,    // to BITS from any number
  sign_extend, // from BITS to 64
  add,
  subtract,
  multiply,
  unsigned_divide,
  signed_divide,
  unsigned_remainder,
  signed_remainder,
  shift_left,
  logical_shift_right,
  arithmetic_shift_right,
  bit_and,
  bit_or,
  bit_xor,
  unsigned_minimum,
  unsigned_maximum,
  signed_minimum,
  signed_maximum,
  absolute, // without a sign, so that there is one of the least number
  // By which x / d is found with multiply_high(a, b), the upper half of their product: half_shift is the
  // least s of which 2^s is not below d, at most BITS - 1, and half_multiplier 2^(BITS - 1 + s) / d, rounded
  // up:
  //   x / d = multiply_high(2 * x, half_multiplier) >> half_shift    for x below 2^(BITS - 1).
  // whole_shift has no such limit, and whole_multiplier is 2^BITS * (2^s - d) / d, rounded down, and 1:
  //   t = multiply_high(x, whole_multiplier)
  //   x / d = (((x - t) >> min(s, 1)) + t) >> max(s - 1, 0)
  // (Granlund and Montgomery, Division by invariant integers using multiplication, 1994).
  half_multiplier,
  half_shift,
  whole_multiplier,
  whole_shift,
  float_add,
  float_subtract,
  float_multiply,
  float_divide,
  float_square_root,
  float_negate,
  float_extend,       // to BITS
  float_truncate,     // to BITS
  float_of_signed_32, // to BITS
  float_of_signed_64,
  float_of_unsigned_32,
  float_of_unsigned_64,
  count
};

/// By derived_operation.
constexpr std::string_view DERIVED_OPERATION_NAMES[] = {"function",
                                                        "launch",
                                                        "constant",
                                                        "result",
                                                        "trunc",
                                                        "sext",
                                                        "add",
                                                        "sub",
                                                        "mul",
                                                        "udiv",
                                                        "sdiv",
                                                        "urem",
                                                        "srem",
                                                        "shl",
                                                        "lshr",
                                                        "ashr",
                                                        "and",
                                                        "or",
                                                        "xor",
                                                        "umin",
                                                        "umax",
                                                        "smin",
                                                        "smax",
                                                        "abs",
                                                        "half_multiplier",
                                                        "half_shift",
                                                        "whole_multiplier",
                                                        "whole_shift",
                                                        "fadd",
                                                        "fsub",
                                                        "fmul",
                                                        "fdiv",
                                                        "fsqrt",
                                                        "fneg",
                                                        "fpext",
                                                        "fptrunc",
                                                        "sitofp32",
                                                        "sitofp64",
                                                        "uitofp32",
                                                        "uitofp64"};
static_assert(std::size(DERIVED_OPERATION_NAMES) == static_cast<std::size_t>(derived_operation::count));

} // namespace falx::ptx
