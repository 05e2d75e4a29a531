// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// LLVM's SimplifyCFG with costs that are no target's. For one work-item's code: a minimum is dear beside a
/// branch for the processor that a target describes, but where work-items diverge the branch is two masks,
/// and what a join brings comes from two blocks, which keeps accesses apart.
struct remove_branches : llvm::PassInfoMixin<remove_branches> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
