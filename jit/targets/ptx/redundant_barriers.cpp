// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Group functions begin and end with barriers, and at the seam of two calls nothing stands between them.
// Before:
//   store i32 %x, ptr %p
//   call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)        ; a joint scan ends
//   call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)        ; a reduction begins
//   call void @llvm.nvvm.bar.warp.sync(i32 -1)                      ; a function of sub-groups
//   %y = call i32 @llvm.nvvm.shfl.sync.bfly.i32(…)
// After:
//   store i32 %x, ptr %p
//   call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
//   %y = call i32 @llvm.nvvm.shfl.sync.bfly.i32(…)
//
// A barrier orders what was done to memory before it and what is done behind it. If memory was not touched
// since another one, of the work-group or of the same members of a sub-group, it orders nothing more.

#include "passes.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

using namespace llvm;

namespace falx::jit {

/// May it make a difference to others whether the instruction comes before or behind a barrier?
static bool touches_memory(const Instruction& instruction) {
  if (!instruction.mayReadOrWriteMemory() || instruction.hasMetadata(LLVMContext::MD_invariant_load))
    return false;
  const auto* call = dyn_cast<CallInst>(&instruction);
  if (call == nullptr)
    return true;
  // Shuffles hand over values; assembly without any only tells the compiler of an order.
  if (const auto* assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
    return !assembly->getAsmString().empty();
  const auto* intrinsic = dyn_cast<IntrinsicInst>(call);
  return !call->onlyAccessesInaccessibleMemory() &&
         (intrinsic == nullptr || !intrinsic->isAssumeLikeIntrinsic());
}

/// One that votes is a barrier of the work-group, too.
static Intrinsic::ID barrier_of(const Instruction& instruction) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  switch (intrinsic != nullptr ? intrinsic->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_or_aligned_all:
    return Intrinsic::nvvm_barrier_cta_sync_aligned_all;
  case Intrinsic::nvvm_bar_warp_sync:
    return Intrinsic::nvvm_bar_warp_sync;
  default:
    return Intrinsic::not_intrinsic;
  }
}

PreservedAnalyses remove_redundant_barriers::run(Function& function, FunctionAnalysisManager&) {
  // By block: the last barrier, if memory was not touched since.
  DenseMap<const BasicBlock*, const Instruction*> at_end;
  for (BasicBlock* block : ReversePostOrderTraversal(&function)) {
    const BasicBlock* before = block->getSinglePredecessor();
    const Instruction*& last = at_end[block] = at_end.lookup(before);
    for (Instruction& instruction : make_early_inc_range(*block)) {
      if (barrier_of(instruction) == Intrinsic::not_intrinsic)
        last = touches_memory(instruction) ? nullptr : last;
      else if (last != nullptr && instruction.getType()->isVoidTy() &&
               (barrier_of(*last) == Intrinsic::nvvm_barrier_cta_sync_aligned_all ||
                last->isIdenticalTo(&instruction)))
        instruction.eraseFromParent();
      else
        last = &instruction;
    }
  }
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace falx::jit
