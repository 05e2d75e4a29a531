// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Analysis.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace falx::jit {

/// Puts \p value in the place of \p old, whose name it takes if it has none of its own.
inline void replace_instruction(llvm::Instruction& old, llvm::Value* value) {
  llvm::BasicBlock::iterator place = old.getIterator();
  llvm::ReplaceInstWithValue(place, value);
}

/// What a pass preserves that has done so, or nothing, and has left all branches.
inline llvm::PreservedAnalyses preserved_by_replacements(bool has_changed) {
  if (!has_changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

} // namespace falx::jit
