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

/// Size from which on a second copy of a vector function costs more than it gains, and what counts for more
/// than one: instructions that are taken apart by lanes when machine code is made, and loops over lanes,
/// beside all of which masks are little.
constexpr unsigned LARGE_VECTOR_FUNCTION = 360, SIZE_BY_LANES = 28, SIZE_OF_LANE_LOOP = 100;
/// Instructions of a loop of the masked copy from which on an iteration is so long that what unrolling saves
/// does not show.
constexpr unsigned LARGE_REST_LOOP = 10;
/// Loops over active lanes that LLVM unrolls where all lanes are active. So many of them may be what the
/// kernel is about; more are only code, sixteen times each, and calls take their time either way.
constexpr unsigned UNROLLED_LANE_LOOPS = 2;

} // namespace falx::jit
