// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace falx::jit {

/// \file
/// What code costs on NVIDIA GPUs.

/// Instructions that the copies of a loop's iteration have together, and copies, where the number of
/// iterations or a divisor of it is known: as NVCC unrolls the loops of tests/jit/Inputs/fast_kernels.cpp.
constexpr unsigned UNROLLED_INSTRUCTIONS = 256, MOST_COPIES = 8;
/// Loops of arithmetic alone, with so many instructions in all iterations, are unrolled whole (LLVM: 300).
constexpr unsigned WHOLE_LOOP_INSTRUCTIONS = 512;
/// The same where nothing is known of it: NVCC makes four copies of small loops that load.
constexpr unsigned UNKNOWN_TRIPS_INSTRUCTIONS = 120, UNKNOWN_TRIPS_COPIES = 4;

} // namespace falx::jit
