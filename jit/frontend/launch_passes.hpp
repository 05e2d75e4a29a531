// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

/// \file
/// Passes of both targets for what a launch has beside the function object. After inlining. The .cpp file
/// that is named with each shows IR before and after.

namespace falx::jit {

/// Takes variables of class work_group_static for memory of the work-group (work_group_variables.cpp).
struct lower_work_group_variables : llvm::PassInfoMixin<lower_work_group_variables> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Gives the kernel what its launch says of itself (launch_values.cpp).
struct lower_launch_values : llvm::PassInfoMixin<lower_launch_values> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
