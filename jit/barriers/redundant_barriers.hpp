// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Takes out barriers of groups behind others that serve as well. For a kernel whose first parameter is the
/// function object. See the .cpp file for an example.
struct remove_redundant_barriers : llvm::PassInfoMixin<remove_redundant_barriers> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
