// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                               After:
//   br i1 %is.wrong, label %report, label %rest           br i1 %is.wrong, …, !prof !unlikely
// report:                                               report:
//   call i32 (ptr, ...) @printf(ptr @"wrong: %d\n", …)    …
//   br label %rest
//
// What a kernel prints behind a test, or does by a function that is called cold ([[gnu::cold]]), is what it
// is not there for: work-items that all print take that long anyway. LLVM takes either way for as likely, so
// that the estimate of vectors had some lane print in each of them, and kernels that check their data ran one
// work-item after the other.

#include "passes.hpp"
#include "pipeline/branch_weights.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/BranchProbabilityInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace falx::jit {

static bool is_cold(const Instruction& instruction, const TargetLibraryInfo& libraries) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  if (call == nullptr)
    return false;
  LibFunc function;
  return call->hasFnAttr(Attribute::Cold) ||
         (libraries.getLibFunc(*call, function) &&
          is_contained({LibFunc_printf, LibFunc_vprintf, LibFunc_fprintf, LibFunc_vfprintf, LibFunc_puts,
                        LibFunc_putchar, LibFunc_fputs, LibFunc_fputc, LibFunc_putc, LibFunc_fwrite},
                       function));
}

/// The branches that decide whether \p cold is reached go another way. What it leads back to decides nothing
/// of that.
static void expect_not(BasicBlock& cold, const DominatorTree& dominators,
                       const PostDominatorTree& post_dominators) {
  SmallSetVector<BasicBlock*, 8> leading_there;
  leading_there.insert(&cold);
  for (std::size_t i = 0; i < leading_there.size(); ++i) {
    BasicBlock& block = *leading_there[i];
    for (BasicBlock* before : predecessors(&block)) {
      if (dominators.dominates(&cold, before))
        continue;
      auto* branch = dyn_cast<BranchInst>(before->getTerminator());
      if (post_dominators.dominates(&cold, before))
        leading_there.insert(before);
      else if (branch != nullptr && branch->isConditional() && !branch->hasMetadata(LLVMContext::MD_prof))
        set_unlikely(*branch, branch->getSuccessor(0) == &block);
    }
  }
}

PreservedAnalyses expect_no_cold_calls::run(Function& function, FunctionAnalysisManager& analyses) {
  const auto& libraries = analyses.getResult<TargetLibraryAnalysis>(function);
  SmallVector<BasicBlock*> cold;
  for (BasicBlock& block : function)
    if (any_of(block, [&](const Instruction& instruction) { return is_cold(instruction, libraries); }))
      cold.push_back(&block);
  if (cold.empty())
    return PreservedAnalyses::all();
  const auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  const auto& post_dominators = analyses.getResult<PostDominatorTreeAnalysis>(function);
  for (BasicBlock* block : cold)
    expect_not(*block, dominators, post_dominators);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  preserved.abandon<BranchProbabilityAnalysis>();
  preserved.abandon<BlockFrequencyAnalysis>();
  return preserved;
}

} // namespace falx::jit
