// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Analysis.h>

namespace falx::jit {

/// Of a pass that has replaced instructions, if anything, and left all branches.
inline llvm::PreservedAnalyses preserved_by_replacements(bool has_changed) {
  if (!has_changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

} // namespace falx::jit
