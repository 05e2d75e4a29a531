// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit::simd {

/// Right before machine code is made: masked stores of one lane that is known become stores of that lane. See
/// the .cpp file.
struct take_single_lanes : llvm::PassInfoMixin<take_single_lanes> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit::simd
