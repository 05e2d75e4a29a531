// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Turns llvm.prefetch of data, which NVPTX's code generation drops, into prefetch instructions. Address
/// spaces have to be known. See the .cpp file for the IR before and after.
struct form_prefetches : llvm::PassInfoMixin<form_prefetches> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
