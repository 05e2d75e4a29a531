// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>

namespace falx::jit {

/// Expands the builtins of falx/device_builtins.hpp in a kernel that form_ptx_entry made, all of them. Fails
/// with a sentence on an unknown builtin and on what a GPU does not have.
struct lower_ptx_builtins : llvm::PassInfoMixin<lower_ptx_builtins> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
