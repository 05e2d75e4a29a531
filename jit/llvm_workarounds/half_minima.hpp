// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Right before machine code is made for x86-64 without AVX-512 FP16: the lesser and greater of two halves,
/// also of vectors, are found among floats. See the .cpp file.
struct compare_halves_as_floats : llvm::PassInfoMixin<compare_halves_as_floats> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
