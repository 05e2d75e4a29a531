// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Group functions begin and end with barriers, and at the seam of two calls nothing stands between them.
// Before:
//   store i32 %x, ptr %p
//   call void @__falx_work_group_barrier()              ; a joint scan ends
//   call void @__falx_work_group_barrier()              ; a reduction begins
//   call void @__falx_sub_group_barrier()               ; a function of sub-groups
//   %sum = call i32 @__falx_sub_group_reduce_add_u32(i32 %y)
// After:
//   store i32 %x, ptr %p
//   call void @__falx_work_group_barrier()
//   %sum = call i32 @__falx_sub_group_reduce_add_u32(i32 %y)
//
// A barrier orders what was done to memory before it and what is done behind it. If all ways to it come from
// other barriers of as large a group, and memory was not touched since, it orders nothing that those do not.
// That holds for builtins and for the instructions that they become on GPUs, where loops with shuffles have
// been unrolled by then. This is the analysis of available expressions, and what it finds may go at once: on
// each way to a barrier that goes, the first barrier of those without memory between them stays.

#include "frontend/builtin_calls.hpp"
#include "passes.hpp"
#include "pipeline/pass_failures.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include <algorithm>

using namespace llvm;

namespace falx::jit {

namespace {

/// The largest group that has met at a barrier since memory was touched.
enum class meeting { none, sub_group, work_group };

} // namespace

/// none if the instruction is no barrier.
static meeting barrier_of(const Instruction& instruction) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
    if (intrinsic->getIntrinsicID() == Intrinsic::nvvm_barrier_cta_sync_aligned_all ||
        intrinsic->getIntrinsicID() == Intrinsic::nvvm_barrier_cta_red_or_aligned_all)
      return meeting::work_group;
    // Of some members only nobody else learns anything.
    return intrinsic->getIntrinsicID() == Intrinsic::nvvm_bar_warp_sync &&
                   !intrinsic->hasFnAttr("falx-members")
               ? meeting::sub_group
               : meeting::none;
  }
  const StringRef name = builtin_name(instruction);
  if (name == "work_group_barrier")
    return meeting::work_group;
  return name == "sub_group_barrier" ? meeting::sub_group : meeting::none;
}

/// May it make a difference to others whether the instruction comes before or behind a barrier?
static bool touches_memory(const Instruction& instruction) {
  if (!instruction.mayReadOrWriteMemory())
    return false;
  // The function object does not change while the kernel runs.
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return getUnderlyingObject(load->getPointerOperand(), /*MaxLookup=*/0) != load->getFunction()->getArg(0);
  const auto* call = dyn_cast<CallInst>(&instruction);
  if (call == nullptr)
    return true;
  // Functions of sub-groups hand over values, on GPUs by instructions; the ones without any only tell the
  // compiler of an order.
  if (builtin_name(instruction).starts_with("sub_group_") || call->onlyAccessesInaccessibleMemory())
    return false;
  if (const auto* assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
    return !assembly->getAsmString().empty();
  const auto* intrinsic = dyn_cast<IntrinsicInst>(call);
  return intrinsic == nullptr || !intrinsic->isAssumeLikeIntrinsic();
}

static meeting behind(const Instruction& instruction, meeting before) {
  if (const meeting here = barrier_of(instruction); here != meeting::none)
    return std::max(before, here);
  return touches_memory(instruction) ? meeting::none : before;
}

static void remove_from(Function& kernel) {
  // From the best that can be, down.
  DenseMap<const BasicBlock*, meeting> at_end;
  const auto at_begin = [&](const BasicBlock& block) {
    meeting result = block.isEntryBlock() ? meeting::none : meeting::work_group;
    for (const BasicBlock* from : predecessors(&block))
      if (const auto known = at_end.find(from); known != at_end.end())
        result = std::min(result, known->second);
    return result;
  };
  const ReversePostOrderTraversal<Function*> order(&kernel);
  for (bool progress = true; progress;) {
    progress = false;
    for (const BasicBlock* block : order) {
      meeting now = at_begin(*block);
      for (const Instruction& instruction : *block)
        now = behind(instruction, now);
      const auto [known, is_new] = at_end.try_emplace(block, now);
      progress |= is_new || known->second != now;
      known->second = now;
    }
  }
  for (BasicBlock* block : order) {
    meeting now = at_begin(*block);
    for (Instruction& instruction : make_early_inc_range(*block)) {
      const meeting before = now;
      now = behind(instruction, now);
      if (const meeting here = barrier_of(instruction);
          here != meeting::none && here <= before && instruction.getType()->isVoidTy())
        instruction.eraseFromParent();
    }
  }
}

PreservedAnalyses remove_redundant_barriers::run(Module& module, ModuleAnalysisManager& analyses) {
  return change_kernel(module, analyses, [](Function& kernel, FunctionAnalysisManager&) {
    remove_from(kernel);
    return Error::success();
  });
}

} // namespace falx::jit
