// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/analysis/lane_shapes.hpp"

#include <llvm/IR/Instructions.h>

namespace falx::jit::simd {

/// All active lanes' operations become one.
bool is_combined(const llvm::AtomicRMWInst& modification, const lane_shapes& shapes);

/// Lanes change objects of their own in local memory, and the old values are unused: has a short form for a
/// vector of \p lanes all of which are active (vector_local_atomics.cpp).
bool is_local_counting(const llvm::AtomicRMWInst& modification, unsigned lanes);

} // namespace falx::jit::simd
