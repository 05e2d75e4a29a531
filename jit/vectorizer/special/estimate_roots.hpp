// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// 1 / sqrt(\p x) of which the last two units may be wrong, as sycl::rsqrt has it.
llvm::Value* emit_reciprocal_root(llvm::IRBuilder<>& builder, llvm::Value* x);

/// Makes estimates with one step of refinement of such roots where they are vectors of AVX-512.
struct estimate_reciprocal_roots : llvm::PassInfoMixin<estimate_reciprocal_roots> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
