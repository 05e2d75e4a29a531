// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit::simd {

/// Right before machine code is made for x86-64: gathers and scatters of elements whose size
/// the target has instructions for, in vectors of \p lanes, get signed indices of 32 bits where their
/// addresses allow it. See the .cpp file.
class narrow_gather_indices : public llvm::PassInfoMixin<narrow_gather_indices> {
public:
  explicit narrow_gather_indices(unsigned lanes) : lanes_(lanes) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  unsigned lanes_;
};

} // namespace falx::jit::simd
