// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                              After, when work-items have become loops or vectors:
//   %at = getelementptr i32, ptr %local.memory, …        %old = load i32, ptr %at
//   %old = atomicrmw add ptr %at, i32 1 monotonic        %new = add i32 %old, 1
//                                                        store i32 %new, ptr %at
//
// A work-group's work-items are run by one thread, one after the other or in step, so between them the order
// of the program is order enough, and others cannot reach their local memory.

#include "local_atomics.hpp"
#include "frontend/kernel_attributes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

using namespace llvm;

namespace falx::jit {

static constexpr const char* MARK = "falx.local";

static const Value* operand_of(const Instruction& instruction) {
  if (const auto* modification = dyn_cast<AtomicRMWInst>(&instruction))
    return modification->getPointerOperand();
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return nullptr;
}

void mark_local_atomics(Function& work_item) {
  const auto is_local = [&](const Value* pointer) {
    SmallVector<const Value*, 4> objects;
    getUnderlyingObjects(pointer, objects, nullptr, /*MaxLookup=*/0);
    return all_of(objects, [&](const Value* object) {
      return object == argument(work_item, parameter::local_memory) ||
             object == argument(work_item, parameter::group_scratch);
    });
  };
  for (Instruction& instruction : instructions(work_item))
    if (const Value* pointer = operand_of(instruction);
        pointer != nullptr && !instruction.isVolatile() && is_local(pointer))
      instruction.setMetadata(MARK, MDNode::get(work_item.getContext(), {}));
}

bool is_marked_local(const Instruction& atomic) {
  return atomic.hasMetadata(MARK);
}

void copy_local_mark(const Instruction& from, Instruction& to) {
  if (MDNode* mark = from.getMetadata(MARK))
    to.setMetadata(MARK, mark);
}

void lower_local_atomics(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      if (!is_marked_local(instruction))
        continue;
      if (auto* modification = dyn_cast<AtomicRMWInst>(&instruction))
        lowerAtomicRMWInst(modification);
      else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        lowerAtomicCmpXchgInst(exchange);
    }
}

} // namespace falx::jit
