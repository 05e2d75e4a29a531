// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value varies if
//  - it is a work-item's index, the address of a private variable, or the result of an atomic or unknown
//  call;
//  - one of its operands varies; or
//  - it is a phi and work-items may come to it by different ways: it lies between a divergent branch and the
//    branch's immediate post-dominator, that included. Phis that collect values from a loop with divergent
//    exits lie there too, as do those of the loop's header, which is more than need be.
//
// A load of a uniform address is uniform: had another work-item stored there since the last barrier, the two
// would race. With atomics or fences in the kernel that no longer follows, and loads vary, but for those from
// the function object.

#include "uniformity.hpp"
#include "frontend/kernel_attributes.hpp"
#include "parallel_accesses.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace falx::jit {

static bool varies_by_itself(const Instruction& instruction, bool loads_vary) {
  if (isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(instruction))
    return true;
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return !load->isSimple() || (loads_vary && !load->hasMetadata(LLVMContext::MD_invariant_load));
  if (const auto* call = dyn_cast<CallInst>(&instruction)) {
    const Function* callee = call->getCalledFunction();
    return !call->doesNotAccessMemory() ||
           (callee != nullptr && callee->getName().starts_with("__falx_sub_group_"));
  }
  return false;
}

uniformity::uniformity(Function& work_item, const PostDominatorTree& post_dominators) {
  for (unsigned index = 0; index < PARAMETER_COUNT; ++index)
    if (is_per_work_item(parameter(index)))
      mark(argument(work_item, parameter(index)));
  const bool loads_vary = synchronizes(work_item);
  for (const Instruction& instruction : instructions(work_item))
    if (varies_by_itself(instruction, loads_vary))
      mark(&instruction);

  while (!worklist_.empty())
    for (const User* user : worklist_.pop_back_val()->users()) {
      const auto* instruction = cast<Instruction>(user);
      mark(instruction);
      if (instruction->isTerminator() && instruction->getNumSuccessors() > 1 &&
          branches_.insert(instruction).second)
        mark_joins(*instruction, post_dominators);
    }
}

void uniformity::mark(const Value* value) {
  if (varying_.insert(value).second)
    worklist_.push_back(value);
}

void uniformity::mark_joins(const Instruction& branch, const PostDominatorTree& post_dominators) {
  const auto* node = post_dominators.getNode(branch.getParent());
  const auto* join = node != nullptr ? node->getIDom() : nullptr;
  const BasicBlock* end = join != nullptr ? join->getBlock() : nullptr;
  SmallVector<const BasicBlock*, 8> stack(successors(branch.getParent()));
  SmallPtrSet<const BasicBlock*, 8> seen;
  while (!stack.empty()) {
    const BasicBlock* block = stack.pop_back_val();
    if (!seen.insert(block).second)
      continue;
    for (const PHINode& phi : block->phis())
      mark(&phi);
    if (block != end)
      append_range(stack, successors(block));
  }
}

} // namespace falx::jit
