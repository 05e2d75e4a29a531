// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "forward_graph.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include <cassert>
#include <map>

using namespace llvm;

namespace falx::jit::simd {

static SmallVector<BasicBlock*, 2> forward_successors(BasicBlock& block, const LoopInfo& loops) {
  SmallVector<BasicBlock*, 2> result;
  const auto add = [&](BasicBlock* next) {
    if (!is_contained(result, next))
      result.push_back(next);
  };
  for (BasicBlock* next : llvm::successors(&block)) {
    const Loop* loop = loops.getLoopFor(next);
    if (loop == nullptr || loop->getHeader() != next || !loop->contains(&block)) {
      add(next);
      continue;
    }
    SmallVector<BasicBlock*, 2> exits;
    loop->getExitBlocks(exits);
    for (BasicBlock* exit : exits)
      add(exit);
  }
  return result;
}

#ifndef NDEBUG
/// What the blocks of a loop are taken for.
static bool stand_together(const Loop& loop, ArrayRef<BasicBlock*> order) {
  const auto first = find(order, loop.getHeader());
  return std::size_t(order.end() - first) >= loop.getNumBlocks() &&
         all_of(ArrayRef(first, loop.getNumBlocks()),
                [&](const BasicBlock* block) { return loop.contains(block); });
}
#endif

forward_graph::forward_graph(Function& function, const DominatorTree& dominators, const LoopInfo& loops) {
  assert(count_if(function, [](const BasicBlock& each) { return isa<ReturnInst>(each.getTerminator()); }) ==
             1 &&
         "prepare_for_lanes makes one return");
  assert(
      all_of(loops.getLoopsInPreorder(),
             [](const Loop* each) { return each->getLoopLatch() != nullptr && !each->hasNoExitBlocks(); }) &&
      "prepare_for_lanes gives loops one latch and a way out");
  sort(function, dominators, loops);
  assert(order_.size() == function.size() &&
         "a block is not reached, or a cycle goes through no loop header");
  assert(
      all_of(loops.getLoopsInPreorder(), [&](const Loop* each) { return stand_together(*each, order_); }) &&
      "something else stands between the blocks of a loop");
  find_post_dominators();
}

/// Of the blocks whose predecessors are placed, takes, within the loop it is in, the one whose immediate
/// dominator was placed last.
void forward_graph::sort(Function& function, const DominatorTree& dominators, const LoopInfo& loops) {
  DenseMap<const BasicBlock*, SmallVector<BasicBlock*, 2>> successors;
  DenseMap<const BasicBlock*, unsigned> missing;
  std::map<const Loop*, unsigned> unplaced;
  for (BasicBlock& block : function) {
    successors[&block] = forward_successors(block, loops);
    for (BasicBlock* next : successors[&block])
      ++missing[next];
    for (const Loop* loop = loops.getLoopFor(&block); loop != nullptr; loop = loop->getParentLoop())
      ++unplaced[loop];
  }
  SmallVector<BasicBlock*> ready = {&function.getEntryBlock()};
  SmallVector<const Loop*> inside;
  while (!ready.empty()) {
    while (!inside.empty() && unplaced[inside.back()] == 0)
      inside.pop_back();
    const auto rank = [&](const BasicBlock* candidate) {
      const DomTreeNode* above = dominators.getNode(candidate)->getIDom();
      return std::pair(inside.empty() || inside.back()->contains(candidate),
                       above != nullptr ? indices_.lookup(above->getBlock()) : 0);
    };
    auto chosen = ready.begin();
    for (auto each = ready.begin(); each != ready.end(); ++each)
      if (rank(*each) >= rank(*chosen))
        chosen = each;
    BasicBlock* block = *chosen;
    ready.erase(chosen);
    indices_[block] = unsigned(order_.size());
    order_.push_back(block);
    const Loop* loop = loops.getLoopFor(block);
    if (loop != nullptr && loop->getHeader() == block)
      inside.push_back(loop);
    for (; loop != nullptr; loop = loop->getParentLoop())
      --unplaced[loop];
    for (BasicBlock* next : reverse(successors[block]))
      if (--missing[next] == 0)
        ready.push_back(next);
  }
  for (BasicBlock* block : order_)
    successors_.push_back(std::move(successors[block]));
}

void forward_graph::find_post_dominators() {
  post_dominators_.resize(order_.size());
  for (BasicBlock* block : reverse(order_)) {
    BasicBlock* common = nullptr;
    for (BasicBlock* next : successors(block)) {
      if (common == nullptr)
        common = next;
      while (common != next) {
        assert(common != nullptr && next != nullptr && "there are two ways out of the function");
        if (index(common) < index(next))
          common = post_dominator(common);
        else
          next = post_dominator(next);
      }
    }
    assert((common == nullptr) == isa<ReturnInst>(block->getTerminator()) && "a block leads nowhere");
    post_dominators_[index(block)] = common;
  }
}

bool forward_graph::post_dominates(const BasicBlock* later, const BasicBlock* earlier) const {
  while (earlier != nullptr && index(earlier) < index(later))
    earlier = post_dominator(earlier);
  return earlier == later;
}

} // namespace falx::jit::simd
