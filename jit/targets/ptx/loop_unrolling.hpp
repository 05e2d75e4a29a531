// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Asks LLVM to unroll innermost loops as far as NVCC does, which is further than LLVM's own choice for GPUs:
/// latencies of memory and of arithmetic overlap in the copies. To be run before LLVM's pass that unrolls in
/// part. Loops of which the program says how far to unroll them are left alone.
class request_unrolling : public llvm::PassInfoMixin<request_unrolling> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
