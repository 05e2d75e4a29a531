// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                            After:
//   loop:
//     %k = phi i32 [ 0, %before ], [ %k.next, %loop ]
//     %sum = phi i32 [ %old, %before ], [ %next, %loop ]
//     %next = add i32 %sum, %x
//     %k.next = add i32 %k, 1
//     %more = icmp ult i32 %k.next, 100
//     br i1 %more, label %loop, label %end
//   end:                                               end:
//     store i32 %next, ptr %to                           %all = mul i32 %x, 100
//                                                        %next = add i32 %all, %old
//                                                        store i32 %next, ptr %to
//
// LLVM's O3 does it, but comes when there are lanes: a loop whose end they reach one by one has masks, and
// formulas are not found any more.

#include "loop_passes.hpp"
#include "passes.hpp"
#include "pipeline/nested_passes.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

using namespace llvm;
using namespace PatternMatch;

namespace falx::jit {
namespace {

/// Nobody sees it run: it leaves numbers, and ends.
bool only_computes(const Loop& loop) {
  return loop.isInnermost() && loop.isLoopSimplifyForm() && loop.getUniqueExitBlock() != nullptr &&
         all_of(loop.blocks(), [](const BasicBlock* block) {
           return none_of(*block, [](const Instruction& each) {
             return each.mayHaveSideEffects() || each.mayReadFromMemory();
           });
         });
}

/// It has a number that loses one bit after the other.
bool takes_bits(const Loop& loop) {
  return any_of(loop.getHeader()->phis(), [&](const PHINode& phi) {
    const Value* next = phi.getIncomingValueForBlock(loop.getLoopLatch());
    return phi.getType()->isIntegerTy() &&
           (match(next, m_c_And(m_Specific(&phi), m_Add(m_Specific(&phi), m_AllOnes()))) ||
            match(next, m_Shift(m_Specific(&phi), m_One())));
  });
}

bool has_formulas(const Loop& loop, ScalarEvolution& evolution) {
  return evolution.hasLoopInvariantBackedgeTakenCount(&loop) &&
         all_of(loop.getUniqueExitBlock()->phis(), [&](PHINode& phi) {
           return all_of(phi.incoming_values(), [&](Value* left) {
             return loop.isLoopInvariant(left) ||
                    (evolution.isSCEVable(left->getType()) &&
                     evolution.isLoopInvariant(evolution.getSCEVAtScope(left, loop.getParentLoop()), &loop));
           });
         });
}

} // namespace

PreservedAnalyses replace_computed_loop::run(Loop& loop, LoopAnalysisManager& of_loops,
                                             LoopStandardAnalysisResults& results, LPMUpdater& updater) {
  if (!only_computes(loop))
    return PreservedAnalyses::all();
  PreservedAnalyses preserved = PreservedAnalyses::all();
  if (takes_bits(loop)) {
    LoopPassManager counting;
    counting.addPass(LoopRotatePass());
    counting.addPass(recognize_bit_counts());
    preserved = counting.run(loop, of_loops, results, updater);
  }
  if (loop.getUniqueExitBlock() == nullptr || !has_formulas(loop, results.SE))
    return preserved;
  SCEVExpander expander(results.SE, "computed");
  SmallVector<WeakTrackingVH, 16> unused;
  if (rewriteLoopExitValues(&loop, &results.LI, &results.TLI, &results.SE, &results.TTI, expander,
                            &results.DT, OnlyCheapRepl, unused) != 0)
    preserved.intersect(getLoopPassPreservedAnalyses());
  expander.clear();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused, &results.TLI);
  preserved.intersect(LoopDeletionPass().run(loop, of_loops, results, updater));
  return preserved;
}

void replace_computed_loops::change(Function& kernel, FunctionAnalysisManager& analyses) {
  if (none_of(analyses.getResult<LoopAnalysis>(kernel).getLoopsInPreorder(),
              [](const Loop* loop) { return only_computes(*loop); }))
    return;
  FunctionPassManager passes;
  passes.addPass(createFunctionToLoopPassAdaptor(replace_computed_loop()));
  run_nested(std::move(passes), kernel, analyses);
}

} // namespace falx::jit
