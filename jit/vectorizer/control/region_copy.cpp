// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                      After:
//     br label %entry              br i1 %condition, label %entry.copy, label %entry
//   entry:                       entry:                 entry.copy:
//     %x = load i32, ptr %p        %x = …                 %x.copy = …
//     br label %end                br label %end          br label %end
//   end:                         end:
//     store i32 %x, ptr %q         %x.both = phi i32 [ %x, %entry ], [ %x.copy, %entry.copy ]
//                                  store i32 %x.both, ptr %q

#include "region_copy.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include <cassert>
#include <numeric>

using namespace llvm;

namespace falx::jit::simd {

std::size_t code_region::size() const {
  return std::accumulate(blocks.begin(), blocks.end(), std::size_t{0},
                         [](std::size_t sum, const BasicBlock* block) { return sum + block->size(); });
}

std::optional<code_region> region_between(BasicBlock& entry, BasicBlock& end) {
  SmallSetVector<BasicBlock*, 16> blocks;
  blocks.insert(&entry);
  bool ends = false;
  for (std::size_t at = 0; at < blocks.size(); ++at) {
    if (isa<ReturnInst>(blocks[at]->getTerminator()))
      return std::nullopt;
    for (BasicBlock* next : successors(blocks[at]))
      if (next == &end)
        ends = true;
      else
        blocks.insert(next);
  }
  const bool is_entered_elsewhere = any_of(blocks, [&](BasicBlock* block) {
    return block != &entry &&
           any_of(predecessors(block), [&](BasicBlock* from) { return !blocks.contains(from); });
  });
  if (!ends || is_entered_elsewhere)
    return std::nullopt;
  return code_region{SmallVector<BasicBlock*>(blocks.begin(), blocks.end()), &end};
}

/// What the region computes and others use is what either computed.
static void join_values(const code_region& region, const ValueToValueMapTy& copies) {
  SmallPtrSet<const BasicBlock*, 16> inside(region.blocks.begin(), region.blocks.end());
  for (BasicBlock* block : region.blocks)
    inside.insert(cast<BasicBlock>(copies.lookup(block)));
  for (BasicBlock* block : region.blocks)
    for (Instruction& instruction : *block) {
      SmallVector<Use*, 4> outside;
      for (Use& use : instruction.uses()) {
        const auto* user = cast<Instruction>(use.getUser());
        const auto* phi = dyn_cast<PHINode>(user);
        if (!inside.contains(phi != nullptr ? phi->getIncomingBlock(use) : user->getParent()))
          outside.push_back(&use);
      }
      if (outside.empty())
        continue;
      SSAUpdater updater;
      updater.Initialize(instruction.getType(), instruction.getName());
      updater.AddAvailableValue(block, &instruction);
      updater.AddAvailableValue(cast<BasicBlock>(copies.lookup(block)), copies.lookup(&instruction));
      for (Use* use : outside)
        updater.RewriteUse(*use);
    }
}

SmallVector<BasicBlock*> copy_blocks(ArrayRef<BasicBlock*> blocks, const Twine& suffix,
                                     ValueToValueMapTy& copies) {
  SmallVector<BasicBlock*> copied;
  for (BasicBlock* block : blocks) {
    copied.push_back(CloneBasicBlock(block, copies, suffix, block->getParent()));
    copies[block] = copied.back();
  }
  remapInstructionsInBlocks(copied, copies);
  return copied;
}

void lead_to_end(ArrayRef<BasicBlock*> blocks, BasicBlock& end, const ValueToValueMapTy& copies) {
  for (BasicBlock* block : blocks) {
    auto* copy = cast<BasicBlock>(copies.lookup(block));
    if (!is_contained(successors(copy), &end))
      continue;
    for (PHINode& phi : end.phis())
      for (unsigned edge = 0, edges = phi.getNumIncomingValues(); edge < edges; ++edge)
        if (phi.getIncomingBlock(edge) == block) {
          Value* value = phi.getIncomingValue(edge);
          Value* copied = copies.lookup(value);
          phi.addIncoming(copied != nullptr ? copied : value, copy);
        }
  }
}

void copy_region(const code_region& region, BasicBlock& before, Value& condition, const Twine& suffix,
                 ValueToValueMapTy& copies) {
  const SmallVector<BasicBlock*> blocks = copy_blocks(region.blocks, suffix, copies);
  lead_to_end(region.blocks, *region.end, copies);
  Instruction* jump = before.getTerminator();
  assert(jump->getNumSuccessors() == 1 && jump->getSuccessor(0) == region.blocks.front() &&
         "it enters there");
  BranchInst::Create(blocks.front(), region.blocks.front(), &condition, jump->getIterator());
  jump->eraseFromParent();
  join_values(region, copies);
}

} // namespace falx::jit::simd
