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

#include "independent_vectors.hpp"
#include "async_barriers.hpp"
#include "falx/kernel.hpp"
#include "group_accesses.hpp"
#include "pipeline/budgets.hpp"
#include "pipeline/invariants.hpp"
#include "pipeline/pass_failures.hpp"
#include "vectorizer/analysis/uniformity.hpp"
#include "vectorizer/passes.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

using namespace llvm;

namespace falx::jit {

static bool is_barrier(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName() == "__falx_work_group_barrier";
}

static bool has_barrier(const BasicBlock& block) {
  return any_of(block, is_barrier);
}

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
  template <class Instructions>
  bool add_until_barrier(Instructions&& instructions, access_set& found);
  access_set before(Instruction& barrier);
  access_set behind(Instruction& barrier);

  Function& work_item_;
  group_accesses accesses_;
  std::optional<uniformity> uniform_;
};

} // namespace

/// False if there is a barrier.
template <class Instructions>
bool barrier_search::add_until_barrier(Instructions&& instructions, access_set& found) {
  for (const Instruction& each : instructions) {
    if (is_barrier(each))
      return false;
    if (const std::optional<unsigned> access = accesses_.number_of(each))
      found.insert(*access);
  }
  return true;
}

/// What may be done last before \p barrier, without another one in between.
barrier_search::access_set barrier_search::before(Instruction& barrier) {
  access_set found;
  BasicBlock& own = *barrier.getParent();
  SmallVector<BasicBlock*> stack;
  SmallPtrSet<BasicBlock*, 16> seen;
  if (add_until_barrier(make_range(std::next(barrier.getReverseIterator()), own.rend()), found))
    append_range(stack, predecessors(&own));
  while (!stack.empty()) {
    BasicBlock* block = stack.pop_back_val();
    if (seen.insert(block).second && add_until_barrier(reverse(*block), found))
      append_range(stack, predecessors(block));
  }
  return found;
}

barrier_search::access_set barrier_search::behind(Instruction& barrier) {
  access_set found;
  BasicBlock& own = *barrier.getParent();
  SmallVector<BasicBlock*> stack;
  SmallPtrSet<BasicBlock*, 16> seen;
  if (add_until_barrier(make_range(std::next(barrier.getIterator()), own.end()), found))
    append_range(stack, successors(&own));
  while (!stack.empty()) {
    BasicBlock* block = stack.pop_back_val();
    if (seen.insert(block).second && add_until_barrier(*block, found))
      append_range(stack, successors(block));
  }
  return found;
}

unsigned barrier_search::run() {
  unsigned count = 0;
  Module& module = *work_item_.getParent();
  const ReversePostOrderTraversal<Function*> order(&work_item_);
  for (BasicBlock* block : order)
    for (Instruction& barrier : *block) {
      if (!is_barrier(barrier))
        continue;
      const access_set first = before(barrier), second = behind(barrier);
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

namespace {

/// Unrolls loops around barriers.
class loop_unrolling {
public:
  explicit loop_unrolling(Function& work_item)
      : work_item_(work_item), dominators_(work_item), loops_(dominators_), assumptions_(work_item),
        libraries_(work_item.getParent()->getTargetTriple()), library_(libraries_, &work_item),
        evolution_(work_item, library_, assumptions_, dominators_, loops_), costs_(work_item.getDataLayout()),
        remarks_(&work_item) {}
  /// Has the function any that can be?
  bool finds() { return next() != nullptr; }
  /// Unrolls all of them, outer ones first, with which those within get numbers; false if the function
  /// becomes too large.
  bool run();

private:
  Loop* next();
  unsigned iterations_of(Loop& loop) { return evolution_.getSmallConstantTripCount(&loop); }

  Function& work_item_;
  DominatorTree dominators_;
  LoopInfo loops_;
  AssumptionCache assumptions_;
  TargetLibraryInfoImpl libraries_;
  TargetLibraryInfo library_;
  ScalarEvolution evolution_;
  TargetTransformInfo costs_;
  OptimizationRemarkEmitter remarks_;
};

} // namespace

/// The first one, outer ones first.
Loop* loop_unrolling::next() {
  for (Loop* loop : loops_.getLoopsInPreorder())
    if (any_of(loop->blocks(), [](const BasicBlock* block) { return has_barrier(*block); }) &&
        loop->isLoopSimplifyForm() && iterations_of(*loop) > 1)
      return loop;
  return nullptr;
}

bool loop_unrolling::run() {
  while (Loop* loop = next()) {
    const unsigned iterations = iterations_of(*loop);
    std::size_t size = 0;
    for (const BasicBlock* block : loop->blocks())
      size += block->size();
    if (work_item_.getInstructionCount() + size * (iterations - 1) > MOST_UNROLLED)
      return false;
    UnrollLoopOptions options{};
    options.Count = iterations;
    options.Force = true;
    if (UnrollLoop(loop, options, &loops_, &evolution_, &dominators_, &assumptions_, &costs_, &remarks_,
                   /*PreserveLCSSA=*/true) != LoopUnrollResult::FullyUnrolled)
      return false;
  }
  return true;
}

/// \p work_item becomes what \p other is.
static void take_body(Function& work_item, Function& other) {
  work_item.deleteBody();
  work_item.splice(work_item.begin(), &other);
  for (const auto& [ours, theirs] : zip(work_item.args(), other.args()))
    theirs.replaceAllUsesWith(&ours);
  work_item.setLinkage(other.getLinkage());
  work_item.setSubprogram(other.getSubprogram());
}

static void keep_independent(Function& work_item, FunctionAnalysisManager& analyses) {
  const kernel_attributes attributes = kernel_attributes::read(work_item);
  if (attributes.kind != std::uint32_t(kernel_kind::nd_range) || attributes.lanes == 1 ||
      !attributes.knows_local_range() || none_of(work_item, has_barrier) || has_async_barriers(work_item))
    return;
  barrier_search(work_item).run();
  if (!loop_unrolling(work_item).finds())
    return;
  ValueToValueMapTy map;
  Function* unrolled = CloneFunction(&work_item, map);
  if (loop_unrolling(*unrolled).run()) {
    simd::unroll_and_simplify(*unrolled, analyses);
    const auto all = unsigned(count_if(instructions(*unrolled), is_barrier));
    const unsigned gone = barrier_search(*unrolled).run();
    if (gone >= LEAST_GONE && gone * LEAST_GONE_SHARE >= all)
      take_body(work_item, *unrolled);
  }
  unrolled->eraseFromParent();
  assert(is_valid(work_item) && "the work-item function is not valid");
}

PreservedAnalyses keep_vectors_independent::run(Module& module, ModuleAnalysisManager& analyses) {
  return change_kernel(module, analyses, [](Function& work_item, FunctionAnalysisManager& functions) {
    keep_independent(work_item, functions);
    return Error::success();
  });
}

} // namespace falx::jit
