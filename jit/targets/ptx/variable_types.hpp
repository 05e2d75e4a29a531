// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Gives variables whose type PTX does not have (i40, i48, i1), which optimisation makes of parts of arrays,
/// the type of their bytes.
struct give_variables_ptx_types : llvm::PassInfoMixin<give_variables_ptx_types> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
