// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Target cpu, of groups of a known local range that run as vectors: barriers of work-groups at which no
/// vector needs to wait for another one become barriers of sub-groups, and loops around barriers that take a
/// known number of iterations are unrolled if that makes such barriers. See the .cpp file.
struct keep_vectors_independent : llvm::PassInfoMixin<keep_vectors_independent> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
