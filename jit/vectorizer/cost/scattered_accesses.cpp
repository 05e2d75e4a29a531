// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's code for a gather or scatter that the target has no instruction for:
//   lane 0: br i1 %mask.0, …   extractelement, load, insertelement
//   lane 1: br i1 %mask.1, …
// With 16 lanes these are 100 instructions in 32 blocks, with which all later passes have to do. That is the
// fastest if all lanes are known to be active, when the branches go; a kernel with few such accesses has a
// copy where they are. In a kernel with many, a loop over the active lanes serves (vector_lanes.cpp).

#include "scattered_accesses.hpp"
#include "cost_model.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace falx::jit::simd {

static constexpr const char* MARK = "falx.branching";

void find_branching_accesses(Function& work_item, const access_costs& costs, unsigned lanes) {
  SmallVector<Instruction*> found;
  for (Instruction& instruction : instructions(work_item))
    if (getLoadStorePointerOperand(&instruction) != nullptr &&
        !costs.has_scattered(isa<LoadInst>(instruction), *getLoadStoreType(&instruction),
                             getLoadStoreAlignment(&instruction), lanes))
      found.push_back(&instruction);
  if (found.size() > FEW_BRANCHING_ACCESSES)
    for (Instruction* access : found)
      access->setMetadata(MARK, MDNode::get(work_item.getContext(), {}));
}

void unmark_branching_access(Instruction& access) {
  access.setMetadata(MARK, nullptr);
}

bool is_branching_access(const Instruction& access) {
  return access.hasMetadata(MARK);
}

} // namespace falx::jit::simd
