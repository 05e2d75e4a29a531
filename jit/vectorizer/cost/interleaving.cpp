// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/async_barrier_names.hpp"
#include "frontend/builtin_calls.hpp"
#include "frontend/kernel_attributes.hpp"
#include "loop_costs.hpp"
#include "pipeline/budgets.hpp"
#include "pipeline/pass_failures.hpp"
#include "pipeline/target_machine_analysis.hpp"
#include "vectorizer/emission/sub_group_builtins.hpp"
#include "vectorizer/passes.hpp"
#include "work_item_costs.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

/// What twice the code must gain.
constexpr double LEAST_GAIN = 1.1;

/// It does something that its sub-groups do for themselves: lanes of another one would join in what it
/// tells its own. Barriers alone only keep lanes in step, and more lanes are. Of those that wait at
/// asynchronous barriers a sub-group's are enough for a mask of 64 bits.
static bool knows_sub_groups(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const StringRef name = call != nullptr ? sub_group_builtin(*call) : "";
  return is_order_of_lanes(instruction) || (!name.empty() && name != "barrier") ||
         builtin_name(instruction).starts_with(ASYNC_BARRIER_BUILTIN);
}

/// Groups hold whole such vectors, and their rows do, or vectors hold whole rows. Of several rows a vector
/// would access memory here and there in every iteration.
static bool fills_groups(const kernel_attributes& attributes, unsigned lanes, bool accesses_own) {
  const std::uint32_t* range = attributes.local_range;
  const std::uint32_t row = range[0], group = row * range[1] * range[2];
  return row != 0 && group % lanes == 0 && (row % lanes == 0 || (lanes % row == 0 && !accesses_own));
}

static bool fits(const kernel_attributes& attributes, unsigned count, bool accesses_own) {
  const unsigned lanes = count * attributes.sub_group_size;
  return lanes <= MOST_LANES &&
         (attributes.kind == kernel_kind::range || fills_groups(attributes, lanes, accesses_own));
}

/// How many sub-groups of the kernel, which is in LCSSA form, are to run as one vector: 1, 2, 4 or 8.
static unsigned interleave_count(Function& work_item, FunctionAnalysisManager& analyses,
                                 const TargetMachine* machine) {
  const kernel_attributes attributes = kernel_attributes::read(work_item);
  const cost_model costs = costs_of(work_item, attributes, machine);
  // Cheap questions first: most kernels have no loop.
  if (!attributes.has_items() || !fits(attributes, 2, false) ||
      any_of(instructions(work_item), knows_sub_groups))
    return 1;
  const SmallVector<loop_cost, 4> loops =
      find_loop_costs(work_item, analyses, costs, attributes.sub_group_size);
  if (none_of(loops, [](const loop_cost& loop) { return loop.recurrence > 0; }))
    return 1;
  const bool accesses_own =
      any_of(loops, [](const loop_cost& loop) { return loop.each.memory + loop.each_if_entered.memory > 0; });
  const auto clocks = [&](unsigned count) {
    double sum = 0;
    for (const loop_cost& loop : loops)
      sum += loop.weight * clocks_per_sub_group(loop, costs, count);
    return sum;
  };
  unsigned best = 1;
  for (unsigned count = 2; count <= MOST_INTERLEAVED; count *= 2)
    if (!fits(attributes, count, accesses_own) ||
        !all_of(loops, [&](const loop_cost& loop) { return fits_registers(loop, costs, count); }) ||
        clocks(best) <= LEAST_GAIN * clocks(count))
      break;
    else
      best = count;
  return best;
}

PreservedAnalyses interleave::run(Module& module, ModuleAnalysisManager& analyses) {
  const TargetMachine* machine = analyses.getResult<target_machine_analysis>(module).machine;
  return change_kernel(module, analyses, [&](Function& work_item, FunctionAnalysisManager& functions) {
    kernel_attributes attributes = kernel_attributes::read(work_item);
    attributes.lanes = attributes.sub_group_size * interleave_count(work_item, functions, machine);
    attributes.write(work_item);
    return Error::success();
  });
}

} // namespace falx::jit::simd
