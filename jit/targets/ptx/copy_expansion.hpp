// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Turns copies of few bytes into loads and stores as wide as the alignment allows, up to 128 bits, where
/// code generation would take 64 bits. See the .cpp file for the IR before and after.
struct expand_small_copies : llvm::PassInfoMixin<expand_small_copies> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
