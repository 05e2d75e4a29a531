// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Fails if the module, which is named for its kernel, is invalid.
llvm::Error verify(const llvm::Module& module);

/// The same as a pass. LLVM's own would end the process.
struct verify_module : llvm::PassInfoMixin<verify_module> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
