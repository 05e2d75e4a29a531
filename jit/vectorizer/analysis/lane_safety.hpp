// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lane_shapes.hpp"

namespace falx::jit::simd {

/// May the vector form of \p instruction run when no lane is active?
bool is_safe_without_lanes(const llvm::Instruction& instruction, const lane_shapes& shapes);

/// Widening works on values of this type in memory: an array of them has no gaps.
bool has_vector_layout(llvm::Type* type, const llvm::DataLayout& layout);

/// A prefetch of lines that lanes share: its lanes' addresses are uniform or less than a line apart.
bool is_dense_prefetch(const llvm::CallInst& call, const lane_shapes& shapes);
/// The instruction has no vector form: it runs once per active lane.
bool runs_lane_by_lane(const llvm::Instruction& instruction, const lane_shapes& shapes);

} // namespace falx::jit::simd
