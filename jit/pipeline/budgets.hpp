// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Limits that serve compile time: beyond them a pass leaves code as it is, although it could do better. What
/// code costs when it runs is in the targets' cost models (vectorizer/cost/cost_model.hpp,
/// targets/ptx/cost_model.hpp).

namespace falx::jit {

/// Images that are kept, parsed, for the kernels that follow, and bytes of bitcode from which on that is
/// worth it: reading less takes a millisecond.
constexpr unsigned MOST_KEPT_IMAGES = 8, SMALLEST_KEPT_IMAGE = 64 << 10;

/// Lanes of a vector, with which the code that LLVM makes of it grows: eight registers of AVX-512.
constexpr unsigned MOST_LANES = 128;
/// Quotients that the lanes of a part of a vector have in common.
constexpr unsigned MOST_COMMON_QUOTIENTS = 4;
/// Sub-groups that run as one vector.
constexpr unsigned MOST_INTERLEAVED = 8;
/// Instructions of a kernel whose loops around barriers are unrolled (keep_vectors_independent).
constexpr unsigned MOST_UNROLLED = 2500;
/// Barriers that must go then, and how many of those that there are: one of so many. The last one of a loop
/// over tiles always goes, as nothing is written behind it.
constexpr unsigned LEAST_GONE = 2, LEAST_GONE_SHARE = 4;
/// Phis of a loop's header through which a cycle of values is followed.
constexpr unsigned MOST_PLAYED_PHIS = 8;

/// Size from which on a second copy of a vector function costs more than it gains, and what counts for more
/// than one: instructions that are taken apart by lanes when machine code is made, and loops over lanes,
/// beside all of which masks are little.
constexpr unsigned LARGE_VECTOR_FUNCTION = 360, SIZE_BY_LANES = 28, SIZE_OF_LANE_LOOP = 100;
/// The same of functions that are mostly accesses whose masks are more than all else, as targets without
/// masked gathers have no instruction for them: a second copy, without them, takes half as long or less, when
/// it runs and when it is compiled.
constexpr unsigned LARGE_MASKED_FUNCTION = 2048;
/// Instructions of a loop of the masked copy from which on an iteration is so long that what unrolling saves
/// does not show.
constexpr unsigned LARGE_REST_LOOP = 10;
/// Loops over active lanes that LLVM unrolls where all lanes are active. So many of them may be what the
/// kernel is about; more are only code, sixteen times each, and calls take their time either way.
constexpr unsigned UNROLLED_LANE_LOOPS = 2;
/// The same of local counters, an access for each lane (vector_local_atomics.cpp), and lanes of their
/// vectors.
constexpr unsigned MOST_COUNTINGS = 4, MOST_COUNTING_LANES = 32;

/// Times that loops are brought into form, each of which takes apart one more of a loop's several ways back.
constexpr unsigned LOOP_FORM_ROUNDS = 4;
/// Instructions up to which a kernel has everything inlined; in a larger one functions from LARGE_FUNCTION on
/// are shared by their callers. Thirteen conversions of a number to text, inlined, took two seconds to
/// compile.
constexpr unsigned LARGE_KERNEL = 3000, LARGE_FUNCTION = 60;
/// Accesses of an innermost loop that LoopLoadElimination compares with each other: of 300 it takes 400 ms.
constexpr unsigned MOST_COMPARED_ACCESSES = 32;
/// Elements of rows that a loop goes through at once (row_loops.cpp), more than which no shuffle network is
/// searched for, and instructions of the loop then.
constexpr unsigned MOST_ROW_ELEMENTS = 8, LARGE_ROW_LOOP = 256;
/// Instructions by which a number of iterations is computed that is not there already.
constexpr unsigned MOST_TRIP_COUNT_INSTRUCTIONS = 4;
/// Instructions of a loop that has a copy for whole vectors (whole_vectors.cpp).
constexpr unsigned MOST_RUN_WHOLE = 64;
/// Instructions behind tests that have a copy for the case that all lanes come there, of all such tests of a
/// function, and tests (whole_guards.cpp).
constexpr unsigned MOST_COPIED_BEHIND_GUARDS = 400, MOST_COPIED_GUARDS = 6;
/// The same of code that has a copy without tests for boundaries (boundary_tests.cpp).
constexpr unsigned MOST_COPIED_AT_BOUNDARIES = 600;
/// Lanes of masked accesses that the target has no instruction for, each an access of its own: code
/// generation takes a second for as many.
constexpr unsigned MOST_ACCESSES_OF_LANES = 2048;

} // namespace falx::jit
