// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                          After:
//   %x = phi i64 [ 0, %entry ], [ %next, %loop ]     %x = phi i64 [ 0, %entry ], [ %next, %loop ]
//   %next = add i64 %x, 32                           %next = add i64 %x, 32
//   %low = trunc i64 %next to i32
//   %more = icmp ne i32 %low, 4096                   %more = icmp ne i64 %next, 4096
//   br i1 %more, label %loop, label %end             br i1 %more, label %loop, label %end
//
// Where a counter of 32 bits and an offset of 64 step together, LLVM's loop strength reduction keeps the
// offset alone and compares its lower half, as taking that is free. To the assembler a loop with such an end
// has no number of iterations, and it makes no copies.
//
// The halves are equal first in the iteration that ends the loop, and what the whole value is then is known.
// In no earlier one can it be that, as its half would have been equal.

#include "code_generation.hpp"
#include "passes.hpp"
#include "pipeline/replacements.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/InitializePasses.h>
#include <llvm/Pass.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace falx::jit {
namespace {

/// What finding out what a value is at the end may cost, once for all iterations.
constexpr unsigned END_BUDGET = 4;

struct exit_test_widening {
  ScalarEvolution& evolution;
  const TargetTransformInfo& costs;

  /// Has the only test of \p loop compare the whole value of which it compares the lower half.
  bool widen(Loop& loop) const {
    BasicBlock* latch = loop.getExitingBlock();
    BasicBlock* before = loop.getLoopPreheader();
    if (latch == nullptr || latch != loop.getLoopLatch() || before == nullptr)
      return false;
    auto* branch = dyn_cast<BranchInst>(latch->getTerminator());
    auto* test =
        branch != nullptr && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (test == nullptr || !test->isEquality() || !test->hasOneUse())
      return false;
    const unsigned part =
        match(test->getOperand(0), m_Trunc(m_Value())) && !loop.isLoopInvariant(test->getOperand(0)) ? 0 : 1;
    Value* whole = nullptr;
    if (!match(test->getOperand(part), m_Trunc(m_Value(whole))) ||
        !loop.isLoopInvariant(test->getOperand(1 - part)) || !whole->getType()->isIntegerTy(64))
      return false;
    const auto* steps = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(whole));
    const SCEV* last = evolution.getBackedgeTakenCount(&loop);
    if (steps == nullptr || steps->getLoop() != &loop || !steps->isAffine() || isa<SCEVCouldNotCompute>(last))
      return false;
    const SCEV* end = steps->evaluateAtIteration(last, evolution);
    SCEVExpander expander(evolution, "falx.end");
    if (!expander.isSafeToExpandAt(end, before->getTerminator()) ||
        expander.isHighCostExpansion(end, &loop, END_BUDGET, &costs, before->getTerminator()))
      return false;
    Value* limit = expander.expandCodeFor(end, whole->getType(), before->getTerminator());
    IRBuilder builder(test);
    Value* wide = builder.CreateICmp(test->getPredicate(), whole, limit, test->getName());
    auto* narrow = cast<Instruction>(test->getOperand(part));
    test->replaceAllUsesWith(wide);
    test->eraseFromParent();
    if (narrow->use_empty())
      narrow->eraseFromParent();
    return true;
  }
};

bool widen_all(const LoopInfo& loops, const exit_test_widening& widening) {
  bool changes = false;
  for (Loop* loop : loops.getLoopsInPreorder())
    changes |= loop->isInnermost() && widening.widen(*loop);
  return changes;
}

/// Behind loop strength reduction, which is one of the code generator's passes.
struct widen_exit_tests_of_reduced_loops : FunctionPass {
  static char ID;

  widen_exit_tests_of_reduced_loops() : FunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage& uses) const override {
    uses.addRequired<LoopInfoWrapperPass>();
    uses.addRequired<ScalarEvolutionWrapperPass>();
    uses.addRequired<TargetTransformInfoWrapperPass>();
    uses.setPreservesCFG();
  }

  bool runOnFunction(Function& function) override {
    const exit_test_widening widening{getAnalysis<ScalarEvolutionWrapperPass>().getSE(),
                                      getAnalysis<TargetTransformInfoWrapperPass>().getTTI(function)};
    return widen_all(getAnalysis<LoopInfoWrapperPass>().getLoopInfo(), widening);
  }
};

char widen_exit_tests_of_reduced_loops::ID = 0;

} // namespace

PreservedAnalyses widen_exit_tests::run(Function& function, FunctionAnalysisManager& analyses) {
  const exit_test_widening widening{analyses.getResult<ScalarEvolutionAnalysis>(function),
                                    analyses.getResult<TargetIRAnalysis>(function)};
  return preserved_by_replacements(widen_all(analyses.getResult<LoopAnalysis>(function), widening));
}

FunctionPass* create_exit_test_widening() {
  return std::make_unique<widen_exit_tests_of_reduced_loops>().release();
}

} // namespace falx::jit
