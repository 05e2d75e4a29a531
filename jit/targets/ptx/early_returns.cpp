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

/// The way on from \p block if its end may return; null if it does not or if both ways do.
static BasicBlock* other_than_return(BasicBlock& block, BasicBlock*& return_block) {
  auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  if (branch == nullptr || !branch->isConditional())
    return nullptr;
  for (unsigned way : {0u, 1u})
    if (returns_at_once(*branch->getSuccessor(way)) && !returns_at_once(*branch->getSuccessor(1 - way))) {
      return_block = branch->getSuccessor(way);
      return branch->getSuccessor(1 - way);
    }
  return nullptr;
}

/// When \p branch returns.
static Value* return_condition(const BranchInst& branch, const BasicBlock& return_block,
                               IRBuilder<>& builder) {
  Value* condition = branch.getCondition();
  return branch.getSuccessor(0) == &return_block ? condition : builder.CreateNot(condition);
}

static bool join(BasicBlock& head) {
  BasicBlock *first_return = nullptr, *second_return = nullptr;
  BasicBlock* body = other_than_return(head, first_return);
  if (body == nullptr || body == &head || body->getSinglePredecessor() != &head)
    return false;
  BasicBlock* work = other_than_return(*body, second_return);
  if (work == nullptr || work == &head || work == body || !may_run_always(*body))
    return false;
  auto* first = cast<BranchInst>(head.getTerminator());
  auto* second = cast<BranchInst>(body->getTerminator());
  while (&body->front() != second) {
    body->front().dropUBImplyingAttrsAndMetadata({LLVMContext::MD_invariant_load});
    body->front().moveBefore(first->getIterator());
  }
  IRBuilder<> builder(first);
  Value* outside = return_condition(*first, *first_return, builder);
  Value* idle = return_condition(*second, *second_return, builder);
  builder.CreateCondBr(builder.CreateLogicalOr(outside, idle), first_return, work);
  first->eraseFromParent();
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
