// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both questions are answered per value with a walk over the control-flow graph. Barriers stand at the ends
// of blocks, so liveness at region starts is liveness at the beginnings of blocks.

#include "region_values.hpp"
#include "vectorizer/analysis/rematerialisation.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cassert>

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

SmallVector<live_value> find_live_values(Function& work_item, ArrayRef<BasicBlock*> starts,
                                         const uniformity& uniform) {
  SmallVector<live_value> result;
  for (Instruction& instruction : instructions(work_item)) {
    // Addresses of variables are found by find_shared_variables.
    if (isa<AllocaInst>(instruction) || instruction.use_empty() || instruction.getType()->isTokenTy())
      continue;
    const block_set live = live_in_blocks(instruction);
    if (live.empty())
      continue;
    live_value candidate;
    candidate.value = &instruction;
    candidate.live_at.resize(unsigned(starts.size()));
    for (unsigned region = 0; region < starts.size(); ++region)
      if (live.contains(starts[region]))
        candidate.live_at.set(region);
    if (candidate.live_at.none())
      continue;
    assert((!candidate.live_at.test(0) || starts.front() != &work_item.getEntryBlock()) &&
           "a value is used where the kernel has not made it");
    if (can_rematerialise(instruction))
      candidate.how = live_value::keeping::rematerialised;
    else if (uniform.is_uniform(&instruction))
      candidate.how = live_value::keeping::uniform;
    result.push_back(std::move(candidate));
  }
  return result;
}

namespace {

/// What happens to one private variable, in order of execution, block by block.
class variable_history {
public:
  explicit variable_history(AllocaInst& variable) : variable_(variable) { collect(); }
  /// Contents that were there before a barrier may be seen after it.
  bool crosses(ArrayRef<BasicBlock*> starts) const;

private:
  enum class event { none, begins, touched, ends };
  void collect();
  event first_in(const BasicBlock& block) const { return first_or_last(block, true); }
  event last_in(const BasicBlock& block) const { return first_or_last(block, false); }
  event first_or_last(const BasicBlock& block, bool first) const;
  event event_of(const Instruction& instruction) const;
  bool needed_from(const BasicBlock* start) const;
  bool filled_before(const BasicBlock* start) const;

  AllocaInst& variable_;
  SmallPtrSet<const Instruction*, 16> users_;
  block_set blocks_;
  bool escapes_ = false;
};

} // namespace

/// Follows the address through what computes addresses of it.
void variable_history::collect() {
  SmallVector<const Instruction*, 16> pointers = {&variable_};
  while (!pointers.empty()) {
    const Instruction* pointer = pointers.pop_back_val();
    for (const Use& use : pointer->uses()) {
      const auto* user = cast<Instruction>(use.getUser());
      if (const auto* store = dyn_cast<StoreInst>(user);
          store != nullptr && store->getValueOperand() == pointer)
        escapes_ = true;
      if (isa<PtrToIntInst>(user) || (isa<CallInst>(user) && !isa<IntrinsicInst>(user)) ||
          isa<InsertValueInst>(user))
        escapes_ = true;
      const bool computes_address = isa<GetElementPtrInst, PHINode, SelectInst, CastInst>(user);
      if (users_.insert(user).second && computes_address)
        pointers.push_back(user);
      blocks_.insert(user->getParent());
      if (const auto* phi = dyn_cast<PHINode>(user))
        blocks_.insert(phi->getIncomingBlock(use));
    }
  }
}

variable_history::event variable_history::event_of(const Instruction& instruction) const {
  if (!users_.contains(&instruction))
    return event::none;
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
    if (intrinsic->getIntrinsicID() == Intrinsic::lifetime_start)
      return event::begins;
    if (intrinsic->getIntrinsicID() == Intrinsic::lifetime_end)
      return event::ends;
  }
  return event::touched;
}

variable_history::event variable_history::first_or_last(const BasicBlock& block, bool first) const {
  event last = event::none;
  if (!blocks_.contains(&block))
    return last;
  for (const Instruction& instruction : block)
    if (const event here = event_of(instruction); here != event::none) {
      last = here;
      if (first)
        break;
    }
  return last;
}

/// Can a use be reached from the beginning of \p start before the variable's lifetime begins anew?
bool variable_history::needed_from(const BasicBlock* start) const {
  SmallVector<const BasicBlock*, 16> stack = {start};
  block_set seen;
  while (!stack.empty()) {
    const BasicBlock* block = stack.pop_back_val();
    if (!seen.insert(block).second)
      continue;
    const event here = first_in(*block);
    if (here == event::touched)
      return true;
    if (here == event::none)
      append_range(stack, successors(block));
  }
  return false;
}

/// Can the beginning of \p start be reached from a use before the variable's lifetime ends?
bool variable_history::filled_before(const BasicBlock* start) const {
  SmallVector<const BasicBlock*, 16> stack(predecessors(start));
  block_set seen;
  while (!stack.empty()) {
    const BasicBlock* block = stack.pop_back_val();
    if (!seen.insert(block).second)
      continue;
    const event here = last_in(*block);
    if (here == event::touched)
      return true;
    if (here == event::none)
      append_range(stack, predecessors(block));
  }
  return false;
}

bool variable_history::crosses(ArrayRef<BasicBlock*> starts) const {
  if (escapes_)
    return true;
  return any_of(starts, [&](const BasicBlock* start) { return filled_before(start) && needed_from(start); });
}

SmallVector<AllocaInst*> find_shared_variables(Function& work_item, ArrayRef<BasicBlock*> starts) {
  SmallVector<AllocaInst*> result;
  for (Instruction& instruction : instructions(work_item))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction); variable != nullptr)
      if (variable_history(*variable).crosses(starts))
        result.push_back(variable);
  return result;
}

} // namespace falx::jit
