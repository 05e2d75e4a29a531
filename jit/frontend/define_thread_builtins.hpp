// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Target cpu: gives the builtins that ask nothing of the index space (atomic scopes, fences, native math)
/// their bodies, so that they also work in functions that are not inlined.
struct define_thread_builtins : llvm::PassInfoMixin<define_thread_builtins> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
