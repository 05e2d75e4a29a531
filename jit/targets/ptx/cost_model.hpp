// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace falx::jit {

/// \file
/// What code costs on NVIDIA GPUs.

/// Instructions that the copies of a loop's iteration have together, and copies, where the number of
/// iterations or a divisor of it is known: as NVCC unrolls the loops of tests/jit/Inputs/fast_kernels.cpp.
constexpr unsigned UNROLLED_INSTRUCTIONS = 256, MOST_COPIES = 8;
/// Loops with so many instructions in all iterations are unrolled whole (LLVM: 300; NVCC: some 520).
constexpr unsigned WHOLE_LOOP_INSTRUCTIONS = 512;
/// The same of loops of which no more than MOST_COPIES is known.
constexpr unsigned BOUNDED_LOOP_INSTRUCTIONS = 128;
/// The same where nothing is known of it, of loops that load: NVCC makes four copies of up to some 200
/// instructions, whatever they are, or two. Two pay for smaller loops: of 55 and 70 instructions, in
/// HeCBench's boxfilter, by half; of 78 and 97, in recursiveGaussian, they cost a tenth (H100).
constexpr unsigned UNKNOWN_TRIPS_INSTRUCTIONS = 200, UNKNOWN_TRIPS_COPIES = 4, PAIR_INSTRUCTIONS = 150;
/// A loop that divides its length by more leaves each work-item a share of it: few iterations.
constexpr unsigned LEAST_SHARES = 32;
/// Instructions that are computed whether they are needed or not, instead of a branch around them: as long as
/// the assembler predicates them (what compares excepted, which it leaves behind a branch).
constexpr unsigned SELECTED_INSTRUCTIONS = 8;
/// Cases of a switch that are compared with one by one instead of branching.
constexpr unsigned SELECTED_CASES = 4;
/// Registers of values that are loaded before an operation with a jump, and used behind it; instructions that
/// pass it for a load; and how far behind it loads are looked for.
constexpr unsigned WAITING_REGISTERS = 8, HOISTED_INSTRUCTIONS = 8, HOISTING_DISTANCE = 256;
/// Quotients by one number that gain by its reciprocal, of float and of double, without a loop; of those with
/// one jump, registers of the results, and results with dividends that come in front of it for them;
/// instructions that do; and how far behind the first one the others are looked for.
constexpr unsigned SHARED_BY_FLOATS = 3, SHARED_BY_DOUBLES = 2;
constexpr unsigned BATCH_REGISTERS = 8, BATCH_VALUES = 8, BATCH_INSTRUCTIONS = 64, BATCH_DISTANCE = 256;
/// Instructions that a multiprocessor's cache for them holds (128 KiB), and those of a quotient of double
/// with a way of its own for rare operands. Of straight code with quotients by constants, each of which waits
/// for the last one, 2,800 instructions take 0.65 to 0.73 of the time of 1,800 without such ways, 10,800 as
/// long as 6,800 or 1.08 of that, and 21,600 1.01 to 1.08 of the time of 13,400 (H200).
constexpr unsigned CACHED_INSTRUCTIONS = 8192, QUOTIENT_INSTRUCTIONS = 42;
/// Results of tests that live on while a loop runs and still are in registers of their own: of seven, as the
/// loop needs some, too.
constexpr unsigned TESTS_BESIDE_LOOP = 3;

} // namespace falx::jit
