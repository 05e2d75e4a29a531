// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, with %varying different for each lane:         After, masks aside:
//          entry                                              entry
//            | br %varying                                      |
//        /       \                                            then ----.
//      then      else                                         / br %u   |
//      / br %u     |                                         a     b    |   a and b know that else is pending
//     a    b       |                                          \   /    |
//      \  /       /                                           else <---'
//       join                                                    |
//                                                             join
//
// Blocks are taken in topological order. A block's pending blocks are those that lanes wait for that did not
// come along; behind the block goes on whatever is first among them and the block's own successors, the rest
// stays pending there. In a loop that lanes leave in different iterations the latch is always pending, exits
// are not followed, and the latch goes back until no lane is left; then the exits are pending.
//
// A block that may run without an active lane is guarded by a test of its mask if it, or what it dominates,
// is unsafe then (loads of uniform addresses may fault, loops may not end) or expensive. So code that is
// unsafe only runs if there is an active lane.

#include "linearization.hpp"
#include "vectorizer/analysis/lane_safety.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/ProfDataUtils.h>

#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

/// One lane in so many at most comes to a block that is called unlikely: a vector seldom has one.
constexpr std::uint64_t UNLIKELY = 1000;
/// Clocks of a branch on whether any lane is active that is predicted rightly.
constexpr double PREDICTED_BRANCH = 1;

linearization::linearization(const DominatorTree& dominators, const LoopInfo& loops,
                             const forward_graph& graph, const lane_shapes& shapes, const cost_model& costs,
                             unsigned sub_group_size)
    : dominators_(dominators), loops_(loops), graph_(graph), shapes_(shapes), costs_(costs),
      sub_group_size_(sub_group_size) {
  plans_.resize(graph.order().size());
  empty_arrival_.resize(graph.order().size());
  for (const BasicBlock* block : graph.order()) {
    choose_mask_owner(block);
    assert((*this)[plans_[graph_.index(block)].mask_owner].mask_owner ==
               plans_[graph_.index(block)].mask_owner &&
           "the mask's owner has it from somebody else");
    block_plan& mine = plans_[graph_.index(block)];
    mine.is_whole = mine.mask_owner == block ? has_whole_arrival(block) : (*this)[mine.mask_owner].is_whole;
    choose_guard(block);
    plan(block);
  }
  assert((failure_ != nullptr || all_of(enumerate(plans_),
                                        [](const auto& each) {
                                          return each.value().pending.empty() ||
                                                 each.value().pending.front() > each.index();
                                        })) &&
         "a block waits that has run");
}

void linearization::choose_mask_owner(const BasicBlock* block) {
  block_plan& mine = plans_[graph_.index(block)];
  mine.mask_owner = block;
  const Loop* loop = loops_.getLoopFor(block);
  if (loops_.isLoopHeader(block)) {
    assert(loop->getLoopPreheader() != nullptr && "prepare_for_lanes gives loops one way in");
    if (!shapes_.is_divergent(loop))
      mine.mask_owner = (*this)[loop->getLoopPreheader()].mask_owner;
    return;
  }
  const DomTreeNode* node = dominators_.getNode(block)->getIDom();
  while (node != nullptr && loops_.getLoopFor(node->getBlock()) != loop)
    node = node->getIDom();
  if (node != nullptr && graph_.post_dominates(block, node->getBlock()))
    mine.mask_owner = (*this)[node->getBlock()].mask_owner;
}

/// Of a block with a mask of its own.
bool linearization::has_whole_arrival(const BasicBlock* block) const {
  if (loops_.isLoopHeader(block))
    return false;
  return all_of(predecessors(block), [&](const BasicBlock* before) {
    const Loop* loop = loops_.getLoopFor(before);
    return (*this)[before].is_whole && !shapes_.is_divergent(before) &&
           (loop == nullptr || loop->contains(block) || !shapes_.is_divergent(loop));
  });
}

/// As block_plan has it.
static bool is_unlikely(const BasicBlock& block) {
  const BasicBlock* before = block.getSinglePredecessor();
  const auto* branch = before == nullptr ? nullptr : dyn_cast<BranchInst>(before->getTerminator());
  std::uint64_t taken = 0, not_taken = 0;
  if (branch == nullptr || !branch->isConditional() || !extractBranchWeights(*branch, taken, not_taken))
    return false;
  const std::uint64_t here = branch->getSuccessor(0) == &block ? taken : not_taken;
  return here <= (taken + not_taken) / UNLIKELY;
}

/// It takes longer than the branch, or is not to be run without lanes.
bool linearization::repays_guard(const BasicBlock* block) const {
  const double limit = (*this)[block].is_unlikely ? PREDICTED_BRANCH : costs_.units().branch_on_mask();
  operation_cost cost;
  SmallVector<const DomTreeNode*, 16> stack = {dominators_.getNode(block)};
  while (!stack.empty()) {
    const DomTreeNode* node = stack.pop_back_val();
    append_range(stack, node->children());
    if (loops_.isLoopHeader(node->getBlock()))
      return true;
    for (const Instruction& instruction : *node->getBlock()) {
      if (!is_safe_without_lanes(instruction, shapes_))
        return true;
      cost += costs_.in_lanes(instruction, shapes_, sub_group_size_);
    }
    if (costs_.units().clocks(cost) > limit)
      return true;
  }
  return false;
}

void linearization::choose_guard(const BasicBlock* block) {
  block_plan& mine = plans_[graph_.index(block)];
  const Loop* loop = loops_.getLoopFor(block);
  if (loops_.isLoopHeader(block)) {
    mine.may_be_empty = (*this)[loop->getLoopPreheader()].may_be_empty;
    return;
  }
  if (mine.mask_owner != block) {
    mine.may_be_empty = (*this)[mine.mask_owner].may_be_empty;
    return;
  }
  // Lanes that are not here wait at a pending block: if there is none in this loop, all are here.
  const bool some_wait = any_of(
      mine.pending, [&](unsigned other) { return loop == nullptr || loop->contains(graph_.order()[other]); });
  if (block == graph_.order().front())
    mine.may_be_empty = false;
  else if (some_wait)
    mine.may_be_empty = empty_arrival_[graph_.index(block)];
  else
    mine.may_be_empty = loop != nullptr && (*this)[loop->getHeader()].may_be_empty;
  if (!mine.may_be_empty || divergent_loop_of_latch(block) != nullptr)
    return;
  mine.is_unlikely = is_unlikely(*block);
  mine.is_guarded = repays_guard(block);
  mine.may_be_empty = !mine.is_guarded;
  if (mine.is_guarded && mine.pending.empty())
    failure_ = "nothing follows a block that may have to be left out";
}

Loop* linearization::divergent_loop_of_latch(const BasicBlock* block) const {
  Loop* loop = loops_.getLoopFor(block);
  return loop != nullptr && loop->getLoopLatch() == block && shapes_.is_divergent(loop) ? loop : nullptr;
}

SmallVector<const BasicBlock*, 2> linearization::immediate_successors(const BasicBlock* block) const {
  SmallVector<const BasicBlock*, 2> result;
  const Loop* loop = loops_.getLoopFor(block);
  for (const BasicBlock* next : successors(block)) {
    const bool leaves = loop != nullptr && !loop->contains(next) && shapes_.is_divergent(loop);
    const bool returns = loop != nullptr && loop->getHeader() == next;
    if (!leaves && !returns && !is_contained(result, next))
      result.push_back(next);
  }
  return result;
}

SmallVector<unsigned> linearization::continuation(const BasicBlock* from,
                                                  ArrayRef<const BasicBlock*> leads_to) const {
  SmallVector<unsigned> result((*this)[from].pending);
  for (const BasicBlock* next : leads_to)
    result.push_back(graph_.index(next));
  llvm::sort(result);
  result.erase(llvm::unique(result), result.end());
  return result;
}

/// \p direct: the successor that is reached with an active lane if it is the next to run.
void linearization::arrive(ArrayRef<unsigned> continuation, const BasicBlock* direct) {
  if (continuation.empty()) {
    failure_ = "a block leads nowhere";
    return;
  }
  assert(is_sorted(continuation) && continuation.back() < plans_.size() &&
         "not the result of continuation()");
  const unsigned next = continuation.front();
  if (direct == nullptr || graph_.index(direct) != next)
    empty_arrival_[next] = true;
  SmallVector<unsigned>& pending = plans_[next].pending;
  append_range(pending, continuation.drop_front());
  llvm::sort(pending);
  pending.erase(llvm::unique(pending), pending.end());
}

void linearization::plan(const BasicBlock* block) {
  const unsigned index = graph_.index(block);
  if (const Loop* loop = loops_.getLoopFor(block);
      loop != nullptr && loop->getHeader() == block && shapes_.is_divergent(loop)) {
    assert(loop->getLoopLatch() != block &&
           "lanes that have left would wait at the block that asks for them");
    plans_[index].pending.push_back(graph_.index(loop->getLoopLatch()));
    llvm::sort(plans_[index].pending);
  }
  if (isa<ReturnInst>(block->getTerminator())) {
    if (!plans_[index].pending.empty())
      failure_ = "something follows the return";
    return;
  }
  if (plans_[index].is_guarded)
    arrive(continuation(block, {}), nullptr);
  if (const Loop* loop = divergent_loop_of_latch(block)) {
    SmallVector<BasicBlock*, 2> exits;
    loop->getUniqueExitBlocks(exits);
    const SmallVector<const BasicBlock*, 2> targets(exits.begin(), exits.end());
    // With one exit all lanes that were in the loop come out there.
    arrive(continuation(block, targets), targets.size() == 1 ? targets.front() : nullptr);
    return;
  }
  const SmallVector<const BasicBlock*, 2> targets = immediate_successors(block);
  const Loop* loop = loops_.getLoopFor(block);
  if (loop != nullptr && loop->getLoopLatch() == block)
    return;
  const bool keeps_lanes = !plans_[index].may_be_empty;
  if (shapes_.is_divergent(block)) {
    arrive(continuation(block, targets), nullptr);
    return;
  }
  for (const BasicBlock* target : successors(block)) {
    const bool is_immediate = is_contained(targets, target);
    if (loop != nullptr && is_immediate && !loop->contains(target) &&
        any_of(plans_[index].pending, [&](unsigned other) { return loop->contains(graph_.order()[other]); }))
      failure_ = "a loop is left while blocks in it wait";
    SmallVector<const BasicBlock*, 1> leads_to;
    if (is_immediate)
      leads_to.push_back(target);
    const SmallVector<unsigned> next = continuation(block, leads_to);
    if (is_immediate && loops_.isLoopHeader(target) && next.front() != graph_.index(target))
      failure_ = "a block waits to run before a loop that is entered";
    arrive(next, is_immediate && keeps_lanes ? target : nullptr);
  }
}

} // namespace falx::jit::simd
