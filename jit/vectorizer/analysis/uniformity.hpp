// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Which values and branches of a work-item function are the same for all work-items of a group that execute
/// them? Conservative: "uniform" is certain, for programs without data races. LLVM's analysis, told what
/// varies. The function must be in LCSSA form, so that a value that leaves a loop passes through a phi. Valid
/// until the function changes.
class uniformity {
public:
  explicit uniformity(llvm::Function& work_item);

  bool is_uniform(const llvm::Value* value) const { return info_->isUniform(value); }
  /// Terminators at which work-items may part.
  const llvm::SmallPtrSetImpl<const llvm::Instruction*>& divergent_branches() const { return branches_; }
  /// \p block is behind no divergent branch whose ways have not met again: no work-item goes another way, or
  /// ends before.
  bool is_reached_by_all(llvm::BasicBlock& block);

private:
  llvm::Function& work_item_;
  /// What LLVM's analysis is made of.
  llvm::FunctionAnalysisManager analyses_;
  llvm::UniformityInfo* info_;
  llvm::SmallPtrSet<const llvm::Instruction*, 8> branches_;
};

} // namespace falx::jit
