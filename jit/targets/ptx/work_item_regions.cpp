// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work_item_regions.hpp"
#include "frontend/builtin_calls.hpp"

#include <llvm/IR/CFG.h>

using namespace llvm;

namespace falx::jit {

int work_item_marker(const Instruction& instruction) {
  const StringRef name = builtin_name(instruction);
  return name == "work_items_begin" ? 1 : name.starts_with("work_items_end") ? -1 : 0;
}

work_item_regions::work_item_regions(Function& kernel) {
  SmallVector<const BasicBlock*, 16> stack = {&kernel.getEntryBlock()};
  begins_inside_[&kernel.getEntryBlock()] = false;
  while (!stack.empty()) {
    const BasicBlock* block = stack.pop_back_val();
    bool inside = begins_inside_.lookup(block);
    for (const Instruction& instruction : *block)
      if (const int marker = work_item_marker(instruction); marker != 0)
        inside = marker > 0;
    for (const BasicBlock* successor : successors(block))
      if (begins_inside_.try_emplace(successor, inside).second)
        stack.push_back(successor);
  }
}

bool work_item_regions::is_work_item_code(const Instruction& instruction) const {
  if (work_item_marker(instruction) != 0)
    return false;
  const BasicBlock& block = *instruction.getParent();
  for (const Instruction* before = instruction.getPrevNode(); before != nullptr;
       before = before->getPrevNode())
    if (const int marker = work_item_marker(*before); marker != 0)
      return marker > 0;
  return begins_inside_.lookup(&block);
}

bool work_item_regions::is_used_by_work_items_only(const AllocaInst& variable) const {
  return all_of(variable.users(), [&](const User* user) {
    const auto* instruction = cast<Instruction>(user);
    return instruction->isLifetimeStartOrEnd() || is_work_item_code(*instruction);
  });
}

} // namespace falx::jit
