// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cost_model.hpp"
#include "vectorizer/analysis/lane_shapes.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/PassManager.h>

#include <optional>

namespace llvm {
class PostDominatorTree;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace falx::jit {
struct kernel_attributes;
}

namespace falx::jit::simd {

/// LLVM's own guess at the iterations of a loop (BlockFrequencyInfo: a latch goes back in 124 of 128 cases).
constexpr double GUESSED_ITERATIONS = 32;

/// The costs of a work-item function that will be code for \p machine, or for none in particular if it is
/// null. What decides about them is done first: the function gets the target's attributes, and calls of sqrt
/// and fma become instructions.
cost_model costs_of(llvm::Function& work_item, const kernel_attributes& attributes,
                    const llvm::TargetMachine* machine);

/// What estimates of a work-item function in LCSSA form, which is not prepared for lanes yet, are made from.
struct work_item_costs {
  work_item_costs(llvm::Function& work_item, llvm::FunctionAnalysisManager& analyses, const cost_model& model,
                  unsigned lanes);

  /// Iterations of \p loop: those that are known, else a guess.
  double trips_of(const llvm::Loop& loop) const;
  /// Lanes come to \p block, or do not, by a branch in the same loop.
  bool is_conditional(const llvm::BasicBlock& block) const;
  /// By how much \p value grows from an iteration of \p loop to the next beyond what all lanes share, if
  /// numbers do not wrap; nothing if that is not known.
  std::optional<double> likely_step(const llvm::SCEV& value, const llvm::Loop& loop) const;

  llvm::Function& work_item;
  const cost_model& model;
  const unsigned lanes;
  const llvm::DominatorTree& dominators;
  const llvm::PostDominatorTree& post_dominators;
  llvm::LoopInfo& loops;
  llvm::ScalarEvolution& evolution;
  const lane_shapes shapes;
};

} // namespace falx::jit::simd
