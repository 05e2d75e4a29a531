// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Gives each work-item (in hierarchical kernels each work-group) a copy of those parts of the function
/// object that \p kernel may write, so that all later passes may take for granted that the object itself
/// never changes. For kernels into which everything is inlined and whose private variables are values, before
/// InstCombine takes the types off addresses. Where there is a copy, it asks for promotion by
/// simplify_again. Fails if the kernel does not say how large the object is.
struct keep_captured_state_private : llvm::PassInfoMixin<keep_captured_state_private> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
