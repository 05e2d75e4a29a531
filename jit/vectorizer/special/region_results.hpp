// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Takes what a region returns away from \p region, if that follows from what the work-items of a group agree
/// on when the region begins. Returns a function that takes the same and returns it, and has no effect; null
/// if nothing was changed. See the .cpp file.
llvm::Function* separate_results(llvm::Function& region, llvm::FunctionAnalysisManager& analyses);

} // namespace falx::jit
