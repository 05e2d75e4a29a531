// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/analysis/lane_shapes.hpp"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace falx::jit::simd {

/// The comparison that lets one lane at most through, if \p condition \p is true: an integer that differs
/// from lane to lane is one that all share. Null if there is none.
const llvm::ICmpInst* one_lane_test(const llvm::Value& condition, bool is, const lane_shapes& shapes);

/// Where one lane alone goes on (if (id == 0)), its numbers are used instead of all lanes'. \p work_item is
/// in the form of prepare_for_lanes, and keeps it.
void use_numbers_of_one_lane(llvm::Function& work_item, unsigned lanes);

} // namespace falx::jit::simd
