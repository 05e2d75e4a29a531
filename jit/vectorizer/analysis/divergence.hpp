// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/control/forward_graph.hpp"

#include <llvm/ADT/SmallVector.h>

namespace falx::jit::simd {

/// What follows from lanes that take different paths at a branch.
struct divergence {
  /// Blocks to which lanes may come on different paths that started at the branch.
  llvm::SmallVector<llvm::BasicBlock*, 4> joins;
  /// Loops that lanes may leave in different iterations.
  llvm::SmallVector<llvm::Loop*, 2> loops;
};

divergence divergence_of(const llvm::BasicBlock& branch, const forward_graph& graph,
                         const llvm::LoopInfo& loops);

} // namespace falx::jit::simd
