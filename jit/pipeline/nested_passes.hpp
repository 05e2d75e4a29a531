// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Runs LLVM's passes in the middle of a pass of ours that has changed \p function and will change it: what
/// \p analyses know of it holds neither before nor behind, when it may be replaced by another function at the
/// same address.
inline void run_nested(llvm::FunctionPassManager passes, llvm::Function& function,
                       llvm::FunctionAnalysisManager& analyses) {
  analyses.clear(function, function.getName());
  passes.run(function, analyses);
  analyses.clear(function, function.getName());
}

} // namespace falx::jit
