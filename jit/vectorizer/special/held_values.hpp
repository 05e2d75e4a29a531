// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/analysis/lane_shapes.hpp"

namespace falx::jit::simd {

/// Which values of divergent loops stay as they are in lanes that have left, so that what these lanes left
/// with needs no variable of its own. See the .cpp file.
class held_values {
public:
  /// \p is_cheap: the target computes under a mask.
  held_values(const lane_shapes& shapes, const llvm::LoopInfo& loops, bool is_cheap);

  /// The block whose lanes take the next value of \p phi, of a loop's header; null if it is not held.
  const llvm::BasicBlock* updated_in(const llvm::PHINode& phi) const { return updated_in_.lookup(&phi); }
  /// Of a phi behind a loop: what is held there until all lanes have left; null if nothing is.
  const llvm::PHINode* behind(const llvm::PHINode& exit) const { return behind_.lookup(&exit); }

private:
  void find(const llvm::Loop& loop, const lane_shapes& shapes);

  llvm::DenseMap<const llvm::PHINode*, const llvm::BasicBlock*> updated_in_;
  llvm::DenseMap<const llvm::PHINode*, const llvm::PHINode*> behind_;
};

} // namespace falx::jit::simd
