// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting networks, transforms: each work-item meets others at distances that change from one barrier to the
// next, and are numbers if the loops around the barriers are unrolled. Before, for vectors of 4 lanes:
//   loop:
//     %distance = phi i64 [ 8, %entry ], [ %half, %loop ]
//     call void @__falx_work_group_barrier()
//     %other = xor i64 %id, %distance
//     …                                               ; exchanges a[%id] and a[%other]
// After:
//     call void @__falx_work_group_barrier()
//     %other = xor i64 %id, 8
//     …
//     call void @__falx_work_group_barrier()
//     %other.1 = xor i64 %id, 4                       ; another vector's elements
//     …
//     call void @__falx_work_group_barrier()
//     %other.2 = xor i64 %id, 2                       ; and from here on the vector's own
//     …
//     call void @__falx_sub_group_barrier()
//     %other.3 = xor i64 %id, 1
//
// Why it is right: a barrier orders each access that comes before it, with no other barrier between them,
// before each access that follows it in the same sense. If no two of these are of the same bytes for lanes
// of different vectors, one of them a store (group_accesses), it orders only what lanes of one vector do. All
// of these come by, and a vector does one thing after the other for all its lanes; that nothing moves across
// until there are vectors is what barriers of sub-groups are for. Barriers go one by one, each beside those
// that are left.

#include "async_barriers.hpp"
#include "frontend/builtin_calls.hpp"
#include "group_accesses.hpp"
#include "passes.hpp"
#include "pipeline/budgets.hpp"
#include "pipeline/invariants.hpp"
#include "vectorizer/analysis/uniformity.hpp"
#include "vectorizer/passes.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

using namespace llvm;

namespace falx::jit {

namespace {

/// Finds barriers at which vectors need not wait for each other.
class barrier_search {
public:
  explicit barrier_search(Function& work_item)
      : work_item_(work_item), accesses_(work_item, kernel_attributes::read(work_item)) {}
  /// How many became barriers of sub-groups.
  unsigned run();

private:
  using access_set = SmallSetVector<unsigned, 8>;
  access_set beside(const Instruction& barrier, bool before);

  Function& work_item_;
  group_accesses accesses_;
  std::optional<uniformity> uniform_;
};

} // namespace

/// What may be done last \p before the barrier, or first behind it, without another one in between.
barrier_search::access_set barrier_search::beside(const Instruction& barrier, bool before) {
  access_set found;
  SmallVector<const BasicBlock*> stack;
  SmallPtrSet<const BasicBlock*, 16> seen;
  const auto step = [&](const Instruction& at) { return before ? at.getPrevNode() : at.getNextNode(); };
  const auto follow = [&](const BasicBlock& block, const Instruction* at) {
    for (; at != nullptr; at = step(*at)) {
      if (is_group_barrier(*at))
        return;
      if (const std::optional<unsigned> access = accesses_.number_of(*at))
        found.insert(*access);
    }
    if (before)
      append_range(stack, predecessors(&block));
    else
      append_range(stack, successors(&block));
  };
  follow(*barrier.getParent(), step(barrier));
  while (!stack.empty()) {
    const BasicBlock* block = stack.pop_back_val();
    if (seen.insert(block).second)
      follow(*block, before ? &block->back() : &block->front());
  }
  return found;
}

unsigned barrier_search::run() {
  unsigned count = 0;
  Module& module = *work_item_.getParent();
  const ReversePostOrderTraversal<Function*> order(&work_item_);
  for (BasicBlock* block : order)
    for (Instruction& barrier : *block) {
      if (!is_group_barrier(barrier))
        continue;
      const access_set first = beside(barrier, /*before=*/true), second = beside(barrier, false);
      const bool orders_vectors = any_of(first, [&](unsigned one) {
        return any_of(second, [&](unsigned other) { return accesses_.meet(one, other); });
      });
      // Where few vectors are left, as at the end of a tree, each step waits for what the last one has stored
      // in other places, which takes longer than it takes the others to come by.
      const bool is_busy =
          second.empty() || any_of(second, [&](unsigned each) { return accesses_.is_by_most(each); });
      if (orders_vectors || !is_busy)
        continue;
      if (!uniform_)
        uniform_.emplace(work_item_);
      // Programs may have work-items that return before a barrier, which nothing orders then.
      if (!uniform_->is_reached_by_all(*block))
        continue;
      cast<CallInst>(barrier).setCalledFunction(
          module.getOrInsertFunction("__falx_sub_group_barrier", barrier.getType()));
      ++count;
    }
  return count;
}

/// The first one around a barrier that takes a known number of iterations, outer ones first.
static Loop* next_to_unroll(const LoopInfo& loops, ScalarEvolution& evolution) {
  for (Loop* loop : loops.getLoopsInPreorder())
    if (have_group_barrier(loop->getBlocks()) && loop->isLoopSimplifyForm() &&
        evolution.getSmallConstantTripCount(loop) > 1)
      return loop;
  return nullptr;
}

/// Unrolls all of them, outer ones first, with which those within get numbers; false if the function becomes
/// too large.
static bool unroll_around_barriers(Function& work_item, FunctionAnalysisManager& analyses) {
  LoopInfo& loops = analyses.getResult<LoopAnalysis>(work_item);
  ScalarEvolution& evolution = analyses.getResult<ScalarEvolutionAnalysis>(work_item);
  while (Loop* loop = next_to_unroll(loops, evolution)) {
    UnrollLoopOptions options{};
    options.Count = evolution.getSmallConstantTripCount(loop);
    options.Force = true;
    std::size_t size = 0;
    for (const BasicBlock* block : loop->blocks())
      size += block->size();
    if (work_item.getInstructionCount() + size * (options.Count - 1) > MOST_UNROLLED)
      return false;
    if (UnrollLoop(loop, options, &loops, &evolution, &analyses.getResult<DominatorTreeAnalysis>(work_item),
                   &analyses.getResult<AssumptionAnalysis>(work_item),
                   &analyses.getResult<TargetIRAnalysis>(work_item),
                   &analyses.getResult<OptimizationRemarkEmitterAnalysis>(work_item),
                   /*PreserveLCSSA=*/true) != LoopUnrollResult::FullyUnrolled)
      return false;
  }
  return true;
}

void keep_vectors_independent::change(Function& work_item, FunctionAnalysisManager& analyses) {
  const kernel_attributes attributes = kernel_attributes::read(work_item);
  if (attributes.kind != kernel_kind::nd_range || attributes.lanes == 1 || !attributes.knows_local_range() ||
      none_of(instructions(work_item), is_group_barrier) || has_async_barriers(work_item))
    return;
  barrier_search(work_item).run();
  if (next_to_unroll(analyses.getResult<LoopAnalysis>(work_item),
                     analyses.getResult<ScalarEvolutionAnalysis>(work_item)) == nullptr)
    return;
  ValueToValueMapTy map;
  Function* unrolled = CloneFunction(&work_item, map);
  unsigned all = 0, gone = 0;
  if (unroll_around_barriers(*unrolled, analyses)) {
    simd::unroll_and_simplify(*unrolled, analyses);
    all = unsigned(count_if(instructions(*unrolled), is_group_barrier));
    gone = barrier_search(*unrolled).run();
  }
  const bool repays = gone >= LEAST_GONE && gone * LEAST_GONE_SHARE >= all;
  Function& chosen = repays ? *unrolled : work_item;
  Function& other = repays ? work_item : *unrolled;
  if (repays)
    chosen.takeName(&other);
  analyses.clear(other, other.getName());
  other.eraseFromParent();
  assert(is_valid(chosen) && "the work-item function is not valid");
}

} // namespace falx::jit
