// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "forward_graph.hpp"
#include "vectorizer/analysis/lane_shapes.hpp"
#include "vectorizer/cost/cost_model.hpp"

#include <llvm/IR/Dominators.h>

namespace falx::jit::simd {

/// Where control goes when a block has run.
struct block_plan {
  /// Blocks that still have to run when this one has, besides those that it leads to itself, by index.
  llvm::SmallVector<unsigned> pending;
  /// The block whose mask is this one's: itself, or a block that all lanes pass that come here and the
  /// other way around. The entry's mask is the function's.
  const llvm::BasicBlock* mask_owner = nullptr;
  /// All lanes of the function that are active are so here: none has gone another way before.
  bool is_whole = false;
  /// The block may be run without any active lane (its guard, if it has one, lets none of these through).
  bool may_be_empty = false;
  /// It is left out if there is no active lane.
  bool is_guarded = false;
  /// The program says that work-items are unlikely to come here: [[unlikely]], __builtin_expect or a profile.
  bool is_unlikely = false;
};

/// Partial linearisation (Moll and Hack, PLDI 2018): where lanes part, the blocks behind the branch run one
/// after the other; all other branches stay. See the .cpp file. \p costs tell whether a block that may have
/// no lane is left out then: those of one sub-group, as several that run as one vector are there the more
/// often.
class linearization {
public:
  linearization(const llvm::DominatorTree& dominators, const llvm::LoopInfo& loops,
                const forward_graph& graph, const lane_shapes& shapes, const cost_model& costs,
                unsigned sub_group_size);

  const block_plan& operator[](const llvm::BasicBlock* block) const { return plans_[graph_.index(block)]; }
  bool has_own_mask(const llvm::BasicBlock* block) const { return (*this)[block].mask_owner == block; }
  /// Null if it was possible; else why not.
  const char* failure() const { return failure_; }
  /// The next to run and what waits behind it, if \p leads_to and what is pending at \p from are to run.
  /// Sorted by index, the next first.
  llvm::SmallVector<unsigned> continuation(const llvm::BasicBlock* from,
                                           llvm::ArrayRef<const llvm::BasicBlock*> leads_to) const;
  /// Those successors of \p block that lanes go on to at once: not out of a loop that lanes leave in
  /// different iterations, and not back.
  llvm::SmallVector<const llvm::BasicBlock*, 2> immediate_successors(const llvm::BasicBlock* block) const;
  /// The latch ends an iteration of a loop that lanes leave in different iterations; null if it does not.
  llvm::Loop* divergent_loop_of_latch(const llvm::BasicBlock* block) const;

private:
  void choose_mask_owner(const llvm::BasicBlock* block);
  bool has_whole_arrival(const llvm::BasicBlock* block) const;
  void choose_guard(const llvm::BasicBlock* block);
  bool repays_guard(const llvm::BasicBlock* block) const;
  void plan(const llvm::BasicBlock* block);
  void arrive(llvm::ArrayRef<unsigned> continuation, const llvm::BasicBlock* direct);

  const llvm::DominatorTree& dominators_;
  const llvm::LoopInfo& loops_;
  const forward_graph& graph_;
  const lane_shapes& shapes_;
  const cost_model& costs_;
  const unsigned sub_group_size_;
  llvm::SmallVector<block_plan> plans_;
  /// By block: some path to it does not guarantee an active lane.
  llvm::SmallVector<bool> empty_arrival_;
  const char* failure_ = nullptr;
};

/// Makes SSA form of a function in which definitions do not dominate uses, because linearisation made paths
/// around them. On such a path no lane is active that would use the value: it is zero there.
void restore_dominance(llvm::Function& function);

} // namespace falx::jit::simd
