// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace falx::jit {

/// \file
/// What code costs on NVIDIA GPUs.

/// Copies of a loop have together at most so many instructions.
constexpr unsigned UNROLLED_INSTRUCTIONS = 256;
constexpr unsigned MOST_COPIES = 8;
/// The same where the number of iterations is not known.
constexpr unsigned UNKNOWN_TRIPS_INSTRUCTIONS = 120;
constexpr unsigned UNKNOWN_TRIPS_COPIES = 4;

} // namespace falx::jit
