// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit::simd {

/// Right before machine code is made for AVX without AVX-512: masked loads of several registers, of which
/// some are known to be left out whole, become loads of the others. See the .cpp file.
struct leave_out_registers_of_masked_loads : llvm::PassInfoMixin<leave_out_registers_of_masked_loads> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit::simd
