// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                          After:
//   %id = alloca [2 x i64]                           %x = ...
//   ...                                              store float 0.0, ptr (%data + %x)
// loop:
//   %n = phi i64 [ 0, %entry ], [ %n.next, %loop ]
//   %at = getelementptr i64, ptr %id, i64 %n
//   store i64 0, ptr %at
//   ...
// end:
//   %x = load i64, ptr %id
//   store float 0.0, ptr (%data + %x)
//
// Loops with a barrier stay, unless they run once: each of their copies would be a region of its own.

#include "frontend/builtin_calls.hpp"
#include "frontend/scalar_simplification.hpp"
#include "pipeline/nested_passes.hpp"
#include "vectorizer/passes.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

using namespace llvm;

namespace falx::jit::simd {

static void keep_barrier_loops(Function& work_item, FunctionAnalysisManager& analyses) {
  analyses.clear(work_item, work_item.getName()); // of another function at the same address, perhaps
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(work_item);
  for (Loop* loop : analyses.getResult<LoopAnalysis>(work_item).getLoopsInPreorder()) {
    if (!have_group_barrier(loop->getBlocks()))
      continue;
    const auto* returns = dyn_cast<SCEVConstant>(evolution.getBackedgeTakenCount(loop));
    const BasicBlock* latch = loop->getLoopLatch();
    const bool ends_behind_body = latch != nullptr && loop->isLoopExiting(latch);
    if (returns == nullptr || returns->getAPInt().ugt(ends_behind_body ? 0 : 1))
      loop->setLoopAlreadyUnrolled();
  }
}

void unroll_and_simplify(Function& work_item, FunctionAnalysisManager& analyses) {
  keep_barrier_loops(work_item, analyses);
  FunctionPassManager passes;
  passes.addPass(SCCPPass());
  passes.addPass(remove_branches());
  passes.addPass(createFunctionToLoopPassAdaptor(LoopFullUnrollPass(/*OptLevel=*/3)));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  // Of i32 indices of the iterations it extends each one's common part anew: one number is what says that
  // accesses are neighbours.
  passes.addPass(EarlyCSEPass());
  // What was chosen among the addresses of variables is one address now.
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(remove_branches());
  passes.addPass(ADCEPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  run_nested(std::move(passes), work_item, analyses);
}

void unroll_constant_loops::change(Function& work_item, FunctionAnalysisManager& analyses) {
  unroll_and_simplify(work_item, analyses);
}

} // namespace falx::jit::simd
