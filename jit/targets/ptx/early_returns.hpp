// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Joins conditions under which a kernel returns at once, as whether its work-item is outside of the range
/// and then whether the program has anything to do for it. A branch costs a GPU as much as several
/// instructions of its other side.
struct join_early_returns : llvm::PassInfoMixin<join_early_returns> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
