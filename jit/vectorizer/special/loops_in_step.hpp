// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Puts barriers into the loops that a group's sub-groups had better go through side by side, one iteration
/// at a time. For a kernel of kind nd_range that becomes vectors, before its barriers are split. See the .cpp
/// file for an example.
struct keep_loops_in_step : llvm::PassInfoMixin<keep_loops_in_step> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
