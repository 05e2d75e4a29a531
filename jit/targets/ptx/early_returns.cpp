// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                          After:
//     br i1 %outside, label %return, label %body       %n = load i32, ptr %function, !invariant.load !{}
//   body:                                              %idle = icmp uge i32 %i, %n
//     %n = load i32, ptr %function, …                  %either = select i1 %outside, i1 true, i1 %idle
//     %idle = icmp uge i32 %i, %n                      br i1 %either, label %return, label %work
//     br i1 %idle, label %return, label %work        work:
//   work:
//
// SimplifyCFG does not where %n has other users, as it may join blocks with several predecessors.

#include "cost_model.hpp"
#include "passes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace falx::jit {

static bool returns_at_once(const BasicBlock& block) {
  return isa<ReturnInst>(block.front());
}

static bool may_run_always(const BasicBlock& block) {
  return std::distance(block.begin(), block.end()) <= JOINED_CONDITION_INSTRUCTIONS + 1 &&
         all_of(drop_end(block), [](const Instruction& instruction) {
           return !isa<PHINode>(instruction) && isSafeToSpeculativelyExecute(&instruction);
         });
}

/// What follows \p block if its end does not return; null if it never does or always.
static BasicBlock* behind_return(const BasicBlock& block) {
  const auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  if (branch == nullptr || !branch->isConditional())
    return nullptr;
  const bool first_returns = returns_at_once(*branch->getSuccessor(0));
  return first_returns != returns_at_once(*branch->getSuccessor(1)) ? branch->getSuccessor(first_returns)
                                                                    : nullptr;
}

static bool join(BasicBlock& head) {
  BasicBlock* body = behind_return(head);
  if (body == nullptr || body == &head || body->getSinglePredecessor() != &head)
    return false;
  BasicBlock* work = behind_return(*body);
  if (work == nullptr || work == &head || work == body || !may_run_always(*body))
    return false;
  auto* first = cast<BranchInst>(head.getTerminator());
  auto* second = cast<BranchInst>(body->getTerminator());
  while (&body->front() != second) {
    body->front().dropUBImplyingAttrsAndMetadata({LLVMContext::MD_invariant_load});
    body->front().moveBefore(first->getIterator());
  }
  IRBuilder<> builder(first);
  for (BranchInst* branch : {first, second})
    if (returns_at_once(*branch->getSuccessor(1)))
      InvertBranch(branch, builder);
  first->setCondition(builder.CreateLogicalOr(first->getCondition(), second->getCondition()));
  first->setSuccessor(1, work);
  work->replacePhiUsesWith(body, &head);
  body->eraseFromParent();
  return true;
}

PreservedAnalyses join_early_returns::run(Function& function, FunctionAnalysisManager&) {
  if (function.isDeclaration() || !function.getReturnType()->isVoidTy())
    return PreservedAnalyses::all();
  while (join(function.getEntryBlock()))
    ;
  return PreservedAnalyses::none();
}

} // namespace falx::jit
