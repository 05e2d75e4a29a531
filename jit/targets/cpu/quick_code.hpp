// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "request/request.hpp"

#include <llvm/IR/PassManager.h>

/// \file
/// Code that is made in a third of the time, and takes several times as long to run (decision 48). What a
/// kernel means is the same: how many work-items a sub-group has, whether they are a vector, which library
/// computes functions, and where products and sums are fused, is found as for the best code.

namespace falx::jit {

/// Whether the launch is estimated to take less time with quick code than the best code takes to be made, by
/// which it would be delayed. The module is what simplify_callees leaves of it. No, where loops have unknown
/// ends, and where arithmetic may be rearranged, as results would differ.
bool suffices_quick_code(llvm::Module& module, llvm::ModuleAnalysisManager& analyses, const request& request);

/// Functions of a kernel of one work-item that need not be in the kernel stay functions, unless they are
/// small: each is made simpler, and code, once.
struct keep_functions : llvm::PassInfoMixin<keep_functions> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// What is left of LLVM's default pipeline: registers instead of variables, and no instruction twice.
llvm::ModulePassManager quick_optimization();

} // namespace falx::jit
