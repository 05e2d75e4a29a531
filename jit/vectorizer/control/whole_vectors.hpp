// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/emission/emission_core.hpp"

#include <llvm/Analysis/LoopInfo.h>

namespace falx::jit::simd {

/// What decides in \p loop's header whether a work-item stays, if lanes leave it in order: a number that
/// grows from lane to lane, compared with one that all share. Null for other loops, and for those that gain
/// nothing of a copy without masks, or are too long for one.
const llvm::ICmpInst* order_of_leaving(const llvm::Loop& loop, const lane_shapes& shapes);

/// In a block where all lanes are active: \p order has the answer \p stays for all of them. May be false
/// although it has. Null if the lanes' numbers are so far apart that one of them always wraps.
llvm::Value* emit_all_stay(emission_core& core, const llvm::ICmpInst& order, bool stays);

/// A divergent loop that has been emitted, and what is in its header.
struct emitted_loop {
  /// Its first block, and the one that goes on to what is behind the header.
  llvm::BasicBlock *header, *test;
  /// The lanes that are in it.
  llvm::PHINode* live;
  /// Of emit_all_stay.
  llvm::Value* all_stay;
  /// The variable of those that stay.
  llvm::AllocaInst* stay;
  /// Those of the block that lanes leave to: its mask, null if it has none of its own, and its phis.
  llvm::AllocaInst* have_left;
  llvm::SmallVector<llvm::AllocaInst*> left_with;
};

/// Puts a copy in front of each of \p loops of \p function that runs as long as all lanes stay. Variables are
/// not promoted yet.
void run_whole_vectors_first(llvm::Function& function, llvm::ArrayRef<emitted_loop> loops);

} // namespace falx::jit::simd
