// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>

namespace falx::jit {

/// Turns the kernel's entry into a work-item function whose parameters hold what builtins tell, and expands
/// all builtins but the work-group barrier of kind nd_range. Sub-groups have one work-item. See the .cpp file
/// for the IR before and after. Fails on an unknown builtin or a scratch size that is not a constant.
struct lower_builtins : llvm::PassInfoMixin<lower_builtins> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
