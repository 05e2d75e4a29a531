// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Computes 2 * x - (x & m), where the butterflies of sorting networks and transforms begin, in a way that
/// says what becomes of the bits of x. See the .cpp file.
struct masked_differences : llvm::PassInfoMixin<masked_differences> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
