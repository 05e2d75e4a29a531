// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Limits that serve compile time: beyond them a pass leaves code as it is, although it could do better. What
/// code costs when it runs is in the targets' cost models (vectorizer/cost/cost_model.hpp,
/// targets/ptx/cost_model.hpp).

namespace falx::jit {

/// Lanes of a vector, with which the code that LLVM makes of it grows: eight registers of AVX-512.
constexpr unsigned MOST_LANES = 128;
/// Sub-groups that run as one vector.
constexpr unsigned MOST_INTERLEAVED = 8;
/// Phis of a loop's header through which a cycle of values is followed.
constexpr unsigned MOST_PLAYED_PHIS = 8;

} // namespace falx::jit
