// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

/// \file
/// Passes on loops, before there are lanes (passes.hpp has those on kernels).

namespace falx::jit {

/// Loops that clear one bit after the other, or shift a number until it is 0, and count become instructions
/// that count bits (bit_counts.cpp). For a rotated loop; what it leaves of it may be left to LoopDeletion.
struct recognize_bit_counts : llvm::PassInfoMixin<recognize_bit_counts> {
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& of_loops,
                              llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater);
};

/// What a loop computes that does nothing else is computed by a formula, if there is one, or by instructions
/// that count bits (computed_loops.cpp).
struct replace_computed_loop : llvm::PassInfoMixin<replace_computed_loop> {
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& of_loops,
                              llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater);
};

} // namespace falx::jit
