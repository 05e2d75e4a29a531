// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cost_model.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/PassManager.h>

namespace falx::jit::simd {

/// What one iteration of a loop takes when vectors of the kernel's sub-groups go through it, blocks of inner
/// loops left out.
struct loop_cost {
  /// Once for all sub-groups that run as one vector.
  operation_cost shared;
  /// For each of them.
  operation_cost each;
  /// Those of \a each that only run if a lane comes to their block.
  operation_cost each_if_entered;
  /// Clocks from an iteration to the next, of the slowest chain of lanes' values that goes around the loop.
  double recurrence = 0;
  /// Registers that are filled at once by what lanes share and by values of an iteration.
  unsigned registers = 0;
  /// Those of each sub-group's values that go from one iteration to the next, and of those that do not change
  /// in the loop, which can come from memory instead.
  unsigned recurrent_registers = 0;
  unsigned invariant_registers = 0;
  /// Lanes leave it one after the other: it goes on until the last has.
  bool is_divergent = false;
  /// Iterations from the loop's beginning to its end, and per call of the kernel; guessed where they are not
  /// constant.
  double trips = 1;
  double weight = 1;
};

/// Of all loops of a work-item function in LCSSA form, for vectors of \p lanes. Empty: a loop does what only
/// lanes of one sub-group may do together, or lane by lane with a frame of its own.
llvm::SmallVector<loop_cost, 4> find_loop_costs(llvm::Function& work_item,
                                                llvm::FunctionAnalysisManager& analyses,
                                                const cost_model& costs, unsigned lanes);

/// What changes in the loop is in registers, and one is left for operands: more would be stored and loaded
/// again in the chain.
bool fits_registers(const loop_cost& loop, const cost_model& costs, unsigned sub_groups);

/// Clocks per iteration and sub-group of \p loop, if \p sub_groups of them run as one vector.
double clocks_per_sub_group(const loop_cost& loop, const cost_model& costs, unsigned sub_groups);

} // namespace falx::jit::simd
