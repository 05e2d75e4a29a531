// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Where 1 / sqrt(x) is a vector of AVX-512 and the last two units of it may be wrong, as sycl::rsqrt has it
/// (targets/cpu/builtins.ll), makes an estimate with one step of refinement of it.
struct estimate_reciprocal_roots : llvm::PassInfoMixin<estimate_reciprocal_roots> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
