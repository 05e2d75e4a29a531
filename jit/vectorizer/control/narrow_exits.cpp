// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes leave the loop one by one, each with a number that SCEV shows to be below 2^32. Before:
//   loop:
//     %count = phi i64 [ 0, %entry ], [ %next, %loop ]             ; at most 200, a constant
//     …
//     br i1 %leaves, label %end, label %loop
//   end:
//     %last = phi i64 [ %count, %loop ]
// After:
//   loop:
//     …
//     %narrow = trunc i64 %count to i32
//     br i1 %leaves, label %end, label %loop
//   end:
//     %last.narrow = phi i32 [ %narrow, %loop ]
//     %last = zext i32 %last.narrow to i64
//
// What lanes have left with is kept for them in every iteration, in half as many registers so. The number
// itself is the same for all lanes that are still there, and stays as it is.

#include "frontend/kernel_attributes.hpp"
#include "vectorizer/passes.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IRBuilder.h>

using namespace llvm;

namespace falx::jit::simd {

constexpr unsigned NARROW_BITS = 32;

/// Of what \p phi joins, all values are below 2^32.
static bool is_narrow(PHINode& phi, ScalarEvolution& evolution) {
  return phi.getType()->isIntegerTy(64) && all_of(phi.incoming_values(), [&](Value* value) {
           return evolution.getUnsignedRange(evolution.getSCEV(value)).getActiveBits() <= NARROW_BITS;
         });
}

static void narrow(PHINode& phi, ScalarEvolution& evolution) {
  Type* type = IntegerType::get(phi.getContext(), NARROW_BITS);
  PHINode* fresh =
      PHINode::Create(type, phi.getNumIncomingValues(), phi.getName() + ".narrow", phi.getIterator());
  // By block, which may have several edges to this one.
  SmallDenseMap<BasicBlock*, Value*, 4> truncated;
  for (const auto& [value, from] : zip(phi.incoming_values(), phi.blocks())) {
    Value*& number = truncated[from];
    if (number == nullptr)
      number = IRBuilder<>(from->getTerminator()).CreateTrunc(value, type, "narrow");
    fresh->addIncoming(number, from);
  }
  BasicBlock& block = *phi.getParent();
  IRBuilder<> builder(&block, block.getFirstInsertionPt());
  Value* wide = builder.CreateZExt(fresh, phi.getType());
  wide->takeName(&phi);
  evolution.forgetValue(&phi);
  phi.replaceAllUsesWith(wide);
  phi.eraseFromParent();
}

void narrow_loop_exits::change(Function& work_item, FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<LoopAnalysis>(work_item);
  if (!kernel_attributes::read(work_item).has_items() || loops.empty())
    return;
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(work_item);
  for (const Loop* loop : loops.getLoopsInPreorder()) {
    // How often others go round all lanes know before.
    if (!isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(loop)))
      continue;
    SmallVector<BasicBlock*, 4> exits;
    loop->getUniqueExitBlocks(exits);
    for (BasicBlock* exit : exits)
      for (PHINode& phi : make_early_inc_range(exit->phis()))
        if (is_narrow(phi, evolution))
          narrow(phi, evolution);
  }
}

} // namespace falx::jit::simd
