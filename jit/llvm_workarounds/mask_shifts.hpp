// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit::simd {

/// Right before machine code is made for AVX-512: shuffles of masks do not take lanes from zero. See the .cpp
/// file.
struct take_zeros_out_of_mask_shuffles : llvm::PassInfoMixin<take_zeros_out_of_mask_shuffles> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit::simd
