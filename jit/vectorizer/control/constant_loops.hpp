// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit::simd {

/// Makes straight code of loops with few iterations whose number is known, so that private variables that
/// such loops index become values before lanes are formed. Folds constants on the way.
struct unroll_constant_loops : llvm::PassInfoMixin<unroll_constant_loops> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// What the pass does, in the middle of another one.
void unroll_and_simplify(llvm::Function& work_item, llvm::FunctionAnalysisManager& analyses);

} // namespace falx::jit::simd
