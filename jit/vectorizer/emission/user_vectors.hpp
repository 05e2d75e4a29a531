// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit::simd {

/// Whether any instruction has to do with vectors.
bool uses_vectors(const llvm::Function& function);
/// Computes with the elements of vectors one by one, so that each becomes a vector of all lanes. What it does
/// not know remains: see uses_vectors.
void take_vectors_apart(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

} // namespace falx::jit::simd
