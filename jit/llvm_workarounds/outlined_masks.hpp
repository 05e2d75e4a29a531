// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit::simd {

/// Right before machine code is made: masked loads and stores for which the target has no instruction, where
/// they are many, become calls of one function for each form. See the .cpp file.
struct outline_masked_accesses : llvm::PassInfoMixin<outline_masked_accesses> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit::simd
