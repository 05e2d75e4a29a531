// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Replaces a kind nd_range work-item function by a function that runs all work-items of a group, cut into
/// regions at its work-group barriers. Without barriers that is form_work_item_loops. See the .cpp file for
/// the scheme, with IR before and after. Fails on barriers that cannot be split around, naming the kernel.
struct split_barriers : llvm::PassInfoMixin<split_barriers> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
