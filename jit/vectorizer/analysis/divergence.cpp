// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the branch and its immediate post-dominator each block gets a label: the block at which the paths
// that lead to it parted or met last. A block that two labels reach is a join and its own label.
//
//          branch               labels: a: a, b: b, c: b, d: b, join: join
//         /      \              c and d are reached from b alone: what joins at d depends on the branch in
//        a        b              b, not on this one
//        |       / \
//        |      c   |
//         \      \ /
//          \      d
//           \    /
//            join

#include "divergence.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>

using namespace llvm;

namespace falx::jit::simd {

divergence divergence_of(const BasicBlock& branch, const forward_graph& graph, const LoopInfo& loops) {
  divergence result;
  BasicBlock* const end = graph.post_dominator(&branch);
  DenseMap<const BasicBlock*, const BasicBlock*> labels;
  for (BasicBlock* next : graph.successors(&branch))
    if (next != end)
      labels[next] = next;
  for (unsigned index = graph.index(&branch) + 1; index < graph.index(end); ++index) {
    const BasicBlock* block = graph.order()[index];
    const BasicBlock* label = labels.lookup(block);
    if (label == nullptr)
      continue;
    for (BasicBlock* next : graph.successors(block)) {
      if (next == end)
        continue;
      const BasicBlock*& theirs = labels[next];
      if (theirs == nullptr) {
        theirs = label;
      } else if (theirs != label) {
        // Also where the branch leads at once, if there is another path to it.
        theirs = next;
        if (!is_contained(result.joins, next))
          result.joins.push_back(next);
      }
    }
  }
  result.joins.push_back(end);

  for (Loop* loop = loops.getLoopFor(&branch); loop != nullptr; loop = loop->getParentLoop()) {
    SmallVector<BasicBlock*, 4> exiting;
    loop->getExitingBlocks(exiting);
    if (any_of(exiting, [&](const BasicBlock* block) { return block == &branch || labels.contains(block); }))
      result.loops.push_back(loop);
  }
  return result;
}

} // namespace falx::jit::simd
