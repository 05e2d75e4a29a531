// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Tells LLVM what the attribute promises: memory that is reached through one of the pointers that
/// the function object of a kernel with [[intel::kernel_args_restrict]], attribute
/// "falx-restrict", holds, and written, is reached through no other. What is reached through a pointer that
/// nothing is written through does not change while the kernel runs, so GPUs read it as constants. For
/// kernels into which everything is inlined that sees the captured pointers; those that escape keep their
/// aliases.
struct declare_restricted_pointers : llvm::PassInfoMixin<declare_restricted_pointers> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
