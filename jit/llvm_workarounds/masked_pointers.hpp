// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit::simd {

/// Right before machine code is made: masked loads and stores of vectors of pointers promise no more
/// alignment than a pointer has. See the .cpp file.
struct limit_alignment_of_masked_pointers : llvm::PassInfoMixin<limit_alignment_of_masked_pointers> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit::simd
