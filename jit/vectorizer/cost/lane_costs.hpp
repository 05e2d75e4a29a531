// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cost_model.hpp"
#include "vectorizer/analysis/lane_shapes.hpp"

namespace falx::jit::simd {

/// What \p instruction takes for \p lanes lanes, by how it varies between them: once for all, or as vectors.
operation_cost cost_in_lanes(const llvm::Instruction& instruction, const lane_shapes& shapes,
                             const cost_model& costs, unsigned lanes);

} // namespace falx::jit::simd
