// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include <cassert>

namespace falx::jit::simd {

/// The control-flow graph of one iteration: without back edges, but with an edge from each loop's latch to
/// each block that the loop exits to, as that is where work-items go in the end. Acyclic. The function must
/// be reducible, with one return, one latch per loop, and no loop without exit.
class forward_graph {
public:
  forward_graph(llvm::Function& function, const llvm::DominatorTree& dominators, const llvm::LoopInfo& loops);

  /// Topological. The blocks of a loop stand together, and so, within it, do the blocks that one dominates.
  llvm::ArrayRef<llvm::BasicBlock*> order() const { return order_; }
  unsigned index(const llvm::BasicBlock* block) const {
    assert(indices_.contains(block) && "the block is of another function, or newer than the graph");
    return indices_.lookup(block);
  }
  llvm::ArrayRef<llvm::BasicBlock*> successors(const llvm::BasicBlock* block) const {
    return successors_[index(block)];
  }
  /// The first block that every path from the end of \p block to the return passes; null for the return.
  llvm::BasicBlock* post_dominator(const llvm::BasicBlock* block) const {
    return post_dominators_[index(block)];
  }
  bool post_dominates(const llvm::BasicBlock* later, const llvm::BasicBlock* earlier) const;

private:
  void sort(llvm::Function& function, const llvm::DominatorTree& dominators, const llvm::LoopInfo& loops);
  void find_post_dominators();

  llvm::SmallVector<llvm::BasicBlock*> order_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> indices_;
  llvm::SmallVector<llvm::SmallVector<llvm::BasicBlock*, 2>> successors_;
  llvm::SmallVector<llvm::BasicBlock*> post_dominators_;
};

} // namespace falx::jit::simd
