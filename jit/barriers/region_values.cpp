// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both questions are answered per value with a walk over the control-flow graph. Barriers stand at the ends
// of blocks, so liveness at region starts is liveness at the beginnings of blocks.

#include "region_values.hpp"
#include "vectorizer/analysis/rematerialisation.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace falx::jit {

using block_set = SmallPtrSet<const BasicBlock*, 16>;

/// Blocks at whose beginning \p value is alive: from there a use can be reached without passing the
/// definition.
static block_set live_in_blocks(const Instruction& value) {
  block_set live;
  SmallVector<const BasicBlock*, 16> stack;
  const auto add = [&](const BasicBlock* block) {
    if (block != value.getParent() && live.insert(block).second)
      stack.push_back(block);
  };
  for (const Use& use : value.uses()) {
    const auto* user = cast<Instruction>(use.getUser());
    const auto* phi = dyn_cast<PHINode>(user);
    add(phi != nullptr ? phi->getIncomingBlock(use) : user->getParent());
  }
  while (!stack.empty())
    for (const BasicBlock* before : predecessors(stack.pop_back_val()))
      add(before);
  return live;
}

/// Where \p value is alive and how it is kept, on its own.
static live_value live_value_of(Instruction& value, ArrayRef<BasicBlock*> starts, const uniformity* uniform) {
  live_value result;
  result.value = &value;
  result.live_at.resize(unsigned(starts.size()));
  const block_set live = live_in_blocks(value);
  for (unsigned region = 0; region < starts.size(); ++region)
    if (live.contains(starts[region]))
      result.live_at.set(region);
  if (can_rematerialise(value, [](const Instruction& operand) { return isa<AllocaInst>(operand); }))
    result.how = live_value::keeping::rematerialised;
  else if (uniform != nullptr && uniform->is_uniform(&value))
    result.how = live_value::keeping::uniform;
  return result;
}

SmallVector<live_value> find_live_values(Function& work_item, ArrayRef<BasicBlock*> starts,
                                         const uniformity* uniform) {
  MapVector<const Instruction*, live_value> values;
  for (Instruction& instruction : instructions(work_item))
    // Addresses of variables are found by find_shared_variables.
    if (!isa<AllocaInst>(instruction) && !instruction.use_empty() && !instruction.getType()->isTokenTy())
      values[&instruction] = live_value_of(instruction, starts, uniform);
  // What is cheap to compute from the group's values keeps its shape so, and needs no memory. Where a value
  // is alive, what its operands are now is what it was made of: they dominate it.
  for (auto& [value, live] : values) {
    if (live.live_at.none() || live.how != live_value::keeping::varying)
      continue;
    SmallSetVector<const Instruction*, 4> of_group;
    if (!can_rematerialise(*value, [&](const Instruction& operand) {
          const auto known = values.find(&operand);
          const bool is_kept = known != values.end() && known->second.how == live_value::keeping::uniform;
          if (is_kept)
            of_group.insert(&operand);
          return is_kept || isa<AllocaInst>(operand);
        }))
      continue;
    live.how = live_value::keeping::rematerialised;
    for (const Instruction* each : of_group)
      values[each].live_at |= live.live_at;
  }
  SmallVector<live_value> result;
  for (auto& [value, live] : values)
    if (live.live_at.any())
      result.push_back(std::move(live));
  return result;
}

namespace {

/// What has to do with one private variable or computes addresses of it.
struct variable_uses {
  /// In order of execution.
  struct of_block {
    const Instruction *first, *last;
  };
  DenseMap<const BasicBlock*, of_block> by_block;
  bool escapes = false;
  /// Addresses that are computed.
  SmallVector<const Instruction*, 8> addresses;
};

} // namespace

/// Follows the address through what computes addresses of it.
static variable_uses uses_of(const AllocaInst& variable) {
  variable_uses result;
  SmallPtrSet<const Instruction*, 16> seen;
  SmallVector<const Instruction*, 16> pointers = {&variable};
  while (!pointers.empty()) {
    const Instruction* pointer = pointers.pop_back_val();
    for (const User* each : pointer->users()) {
      const auto* user = cast<Instruction>(each);
      const auto* store = dyn_cast<StoreInst>(user);
      result.escapes |= (store != nullptr && store->getValueOperand() == pointer) ||
                        isa<PtrToIntInst, InsertValueInst>(user) ||
                        (isa<CallInst>(user) && !isa<IntrinsicInst>(user));
      if (!seen.insert(user).second)
        continue;
      if (isa<GetElementPtrInst, PHINode, SelectInst, CastInst>(user)) {
        pointers.push_back(user);
        result.addresses.push_back(user);
      }
      auto& [first, last] = result.by_block.try_emplace(user->getParent(), user, user).first->second;
      if (user->comesBefore(first))
        first = user;
      if (last->comesBefore(user))
        last = user;
    }
  }
  return result;
}

/// Going on from the beginnings of \p blocks, or \p backwards from their ends: does a use come before the
/// variable's lifetime begins or ends?
static bool meets_use(SmallVector<const BasicBlock*, 16> blocks, const variable_uses& uses, bool backwards) {
  block_set seen;
  while (!blocks.empty()) {
    const BasicBlock* block = blocks.pop_back_val();
    if (!seen.insert(block).second)
      continue;
    if (const auto known = uses.by_block.find(block); known != uses.by_block.end()) {
      if (!(backwards ? known->second.last : known->second.first)->isLifetimeStartOrEnd())
        return true;
    } else if (backwards) {
      append_range(blocks, predecessors(block));
    } else {
      append_range(blocks, successors(block));
    }
  }
  return false;
}

/// \p address is kept across a barrier, as where it has been taken out of a loop in each iteration of which
/// the variable's lifetime begins.
static bool is_kept(const Instruction& address, ArrayRef<BasicBlock*> starts) {
  const live_value live = live_value_of(const_cast<Instruction&>(address), starts, nullptr);
  return live.how != live_value::keeping::rematerialised && live.live_at.any();
}

SmallVector<AllocaInst*> find_shared_variables(Function& work_item, ArrayRef<BasicBlock*> starts) {
  SmallVector<AllocaInst*> result;
  for (Instruction& instruction : instructions(work_item)) {
    auto* variable = dyn_cast<AllocaInst>(&instruction);
    if (variable == nullptr)
      continue;
    const variable_uses uses = uses_of(*variable);
    if (uses.escapes ||
        any_of(uses.addresses, [&](const Instruction* each) { return is_kept(*each, starts); }) ||
        any_of(starts, [&](const BasicBlock* start) {
          const SmallVector<const BasicBlock*, 16> before(predecessors(start));
          return meets_use(before, uses, /*backwards=*/true) && meets_use({start}, uses, false);
        }))
      result.push_back(variable);
  }
  return result;
}

} // namespace falx::jit
