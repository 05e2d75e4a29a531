// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Function.h>

namespace falx::jit {

/// Which values and branches of a work-item function are the same for all work-items of a group that execute
/// them? Conservative: "uniform" is certain, for programs without data races. The function must be in LCSSA
/// form, so that a value that leaves a loop passes through a phi. Holds no pointer into the analyses after
/// construction; valid until the function changes.
class uniformity {
public:
  uniformity(llvm::Function& work_item, const llvm::PostDominatorTree& post_dominators);

  bool is_uniform(const llvm::Value* value) const { return !varying_.contains(value); }
  /// Terminators at which work-items may part.
  const llvm::SmallPtrSetImpl<const llvm::Instruction*>& divergent_branches() const { return branches_; }

private:
  void mark(const llvm::Value* value);
  void mark_joins(const llvm::Instruction& branch, const llvm::PostDominatorTree& post_dominators);

  llvm::SmallPtrSet<const llvm::Value*, 32> varying_;
  llvm::SmallPtrSet<const llvm::Instruction*, 8> branches_;
  llvm::SmallVector<const llvm::Value*, 32> worklist_;
};

} // namespace falx::jit
