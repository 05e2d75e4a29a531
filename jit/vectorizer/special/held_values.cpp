// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes leave a loop one by one, each with its sum:
//   loop:
//     %sum = phi float [ 0.0, %before ], [ %sum.next, %latch ]
//     br i1 %done, label %exit, label %latch
//   exit:
//     %result = phi float [ %sum, %loop ]
// In general a variable takes the sums of those that leave, while the others go on:
//     %leave = and <16 x i1> %live, %done
//     %result = select <16 x i1> %leave, <16 x float> %sum, <16 x float> %result.before
// If those that have left do not take part in additions any more, the sum itself is the result in the end:
//     %sum = phi <16 x float> [ zeroinitializer, %before ], [ %sum.held, %latch ]
//     %sum.held = select <16 x i1> %stay, <16 x float> %sum.next, <16 x float> %sum
// An addition under a mask is one instruction of AVX-512, but waits for the mask. So this is for what no
// branch of the loop depends on.

#include "held_values.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace falx::jit::simd {

/// What decides about the paths through \p loop, as far as it is computed there.
static SmallSetVector<const Instruction*, 16> sources_of_branches(const Loop& loop) {
  SmallSetVector<const Instruction*, 16> sources;
  for (const BasicBlock* block : loop.blocks())
    sources.insert(block->getTerminator());
  for (unsigned next = 0; next < sources.size(); ++next)
    for (const Use& operand : sources[next]->operands())
      if (const auto* source = dyn_cast<Instruction>(operand); source != nullptr && loop.contains(source))
        sources.insert(source);
  return sources;
}

held_values::held_values(const lane_shapes& shapes, const LoopInfo& loops, bool is_cheap) {
  if (!is_cheap)
    return;
  for (const Loop* loop : loops.getLoopsInPreorder())
    if (shapes.is_divergent(loop))
      find(*loop, shapes);
}

/// All lanes leave by the same branch.
void held_values::find(const Loop& loop, const lane_shapes& shapes) {
  const BasicBlock *leaving = loop.getExitingBlock(), *exit = loop.getExitBlock();
  const BasicBlock* latch = loop.getLoopLatch();
  if (leaving == nullptr || exit == nullptr || exit->getSinglePredecessor() != leaving ||
      !shapes.is_divergent(leaving))
    return;
  const SmallSetVector<const Instruction*, 16> deciding = sources_of_branches(loop);
  for (const PHINode& result : exit->phis()) {
    if (!shapes[&result].is_varying() || result.getType()->isStructTy())
      continue;
    const Value* value = result.getIncomingValueForBlock(leaving);
    for (const PHINode& phi : loop.getHeader()->phis()) {
      if (!shapes[&phi].is_varying() || deciding.contains(&phi))
        continue;
      const BasicBlock* updated = nullptr;
      if (value == &phi)
        updated = latch;
      else if (value == phi.getIncomingValueForBlock(latch) && leaving == loop.getHeader())
        updated = leaving;
      const BasicBlock* before = updated_in_.lookup(&phi);
      if (updated == nullptr || (before != nullptr && before != updated))
        continue;
      updated_in_[&phi] = updated;
      behind_[&result] = &phi;
      break;
    }
  }
}

} // namespace falx::jit::simd
