// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Writes correctly rounded square roots of float, their reciprocals, and reciprocal roots of double without
/// branches. The assembler's own code for them jumps to a subroutine for rare arguments, and it moves no
/// instruction across such a jump: what comes next waits until the root is known.
struct expand_roots : llvm::PassInfoMixin<expand_roots> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
