// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "prepare_for_lanes.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>
#include <utility>

namespace falx::jit::simd {

/// What has to hold so that a test has its usual outcome: a difference, in 64 bits, is not positive, or is
/// not 0.
struct condition {
  enum class kind { not_positive, not_zero } what;
  const llvm::SCEV* difference;
};

/// A comparison in a block that is to hold in all iterations of a loop around it, or where the block stands
/// if there is no such loop.
struct tested_comparison {
  llvm::CmpInst::Predicate predicate;
  const llvm::Value &left, &right;
  const llvm::BasicBlock& block;
  const llvm::Loop* around;
  /// Taken from the left side, unless null.
  const llvm::Value* subtrahend = nullptr;
};

/// Conditions by what lanes have of their own in them: each value's least and greatest limit, and what must
/// not be 0.
struct limits {
  /// By the value, null for what all lanes share, which is at least 0, and whether the limit is the greatest.
  llvm::MapVector<std::pair<const llvm::SCEV*, unsigned>, const llvm::SCEV*> of_values;
  llvm::SmallSetVector<const llvm::SCEV*, 4> not_zero;
};

/// Of a smallest or greatest number of two, of which all lanes share one: which operand is not that one.
std::optional<unsigned> own_operand(const llvm::MinMaxIntrinsic& extremum, const lane_shapes& shapes);
/// By which that operand compares with the other one where it is the result.
llvm::CmpInst::Predicate predicate_of(const llvm::MinMaxIntrinsic& extremum);

/// Finds and emits the conditions of comparisons: that they hold for the extremes of both sides.
class boundary_conditions {
public:
  boundary_conditions(llvm::Function& work_item, const prepared_function& code,
                      llvm::TargetLibraryInfo& library);

  /// Nothing if they are not known.
  using conditions = llvm::SmallVector<condition, 2>;
  std::optional<conditions> of(const tested_comparison& comparison);
  /// Has what the condition is made of computed before \p place. False if that cannot be.
  bool bring(const condition& condition, llvm::Instruction& place);
  void add(limits& limits, const condition& added);
  /// A number of one bit: this lane is within the limits.
  llvm::Value* emit(const limits& limits, llvm::Instruction& place);

  llvm::ScalarEvolution& evolution() { return evolution_; }
  llvm::DominatorTree& dominators() { return dominators_; }
  llvm::LoopInfo& loops() { return loops_; }

private:
  struct search;
  /// A value of lanes is at most, or at least, what they share. As in limits.
  struct bound {
    const llvm::SCEV* value;
    bool is_most;
    const llvm::SCEV* limit;
  };
  bool add_conditions(const tested_comparison& comparison, conditions& found, unsigned depth = 0);
  const llvm::SCEV* extreme(const llvm::Value& value, const search& at, unsigned depth = 0);
  const llvm::SCEV* bounded(const llvm::SCEV* number, const search& at);
  const llvm::SCEV* extreme_of_count(const llvm::SCEV& value, const search& at);
  const llvm::SCEV* last_iteration(const llvm::Loop& loop, const llvm::BasicBlock& block);
  bool is_uniform(const llvm::SCEV& value) const;
  bound bound_of(const llvm::SCEV& difference);

  const prepared_function& code_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::AssumptionCache assumptions_;
  llvm::ScalarEvolution evolution_;
  llvm::Type* const wide_;
};

} // namespace falx::jit::simd
