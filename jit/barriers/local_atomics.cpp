// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                              After, when work-items have become loops or vectors:
//   %at = getelementptr i32, ptr %local.memory, …        %old = load i32, ptr %at
//   %old = atomicrmw add ptr %at, i32 1 monotonic        %new = add i32 %old, 1
//                                                        store i32 %new, ptr %at
// and until then, which says to the vectoriser that other threads do not matter:
//   %old = atomicrmw add ptr %at, i32 1 syncscope("singlethread") monotonic
//
// A work-group's work-items are run by one thread, one after the other or in step, so between them the order
// of the program is order enough, and others cannot reach their local memory.

#include "local_atomics.hpp"
#include "frontend/kernel_attributes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

using namespace llvm;

namespace falx::jit {

void limit_local_atomics(Function& work_item) {
  const auto is_local = [&](const Value* pointer) {
    SmallVector<const Value*, 4> objects;
    getUnderlyingObjects(pointer, objects, nullptr, /*MaxLookup=*/0);
    return all_of(objects, [&](const Value* object) {
      return object == argument(work_item, parameter::local_memory) ||
             object == argument(work_item, parameter::group_scratch);
    });
  };
  for (Instruction& instruction : instructions(work_item))
    if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction) && !instruction.isVolatile() &&
        is_local(MemoryLocation::get(&instruction).Ptr))
      setAtomicSyncScopeID(&instruction, SyncScope::SingleThread);
}

void lower_local_atomics(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      if (getAtomicSyncScopeID(&instruction) != SyncScope::SingleThread)
        continue;
      if (auto* modification = dyn_cast<AtomicRMWInst>(&instruction))
        lowerAtomicRMWInst(modification);
      else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        lowerAtomicCmpXchgInst(exchange);
    }
}

} // namespace falx::jit
