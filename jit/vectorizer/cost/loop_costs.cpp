// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   loop:                                                    one iteration, 16 lanes of AVX-512
//     %n = phi i32 [ 1, %entry ], [ %n.next, %loop ]           shared: issue 3, one memory access
//     %y = phi float [ %a, %entry ], [ %y.next, %loop ]        each: one operation
//     %c = load float, ptr (%data + %n)                        recurrence: y.next waits 4 clocks for y
//     %y.next = fmuladd float %y, %x, %c                       registers: shared 1, each 2 (y, x), of these
//     one %n.next = add i32 %n, 1                                  invariant (x)
//
// What does not depend on the lane, or only as base + lane * constant, is a scalar and shared; the rest is
// done once per sub-group. What is the same in all iterations costs registers and nothing else.

#include "loop_costs.hpp"
#include "frontend/builtin_calls.hpp"
#include "recurrences.hpp"
#include "work_item_costs.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace falx::jit::simd {

namespace {

class loop_analysis : work_item_costs {
public:
  using work_item_costs::work_item_costs;
  SmallVector<loop_cost, 4> run();

private:
  bool is_vector(const Value& value) const { return shapes[&value].is_varying(); }
  void find_invariants(const Loop& loop);
  bool is_invariant(const Value& value, const Loop& loop) const;
  void add_costs(const Loop& loop, loop_cost& result);
  void add_registers(const Loop& loop, loop_cost& result) const;
  unsigned registers_of_leavers(const Loop& loop) const;
  double recurrence_of(const Loop& loop) const;
  bool is_own(const BasicBlock* block, const Loop& loop) const { return loops.getLoopFor(block) == &loop; }

  SmallPtrSet<const Instruction*, 16> invariants_;
  DenseMap<const Instruction*, double> latencies_;
};

} // namespace

bool loop_analysis::is_invariant(const Value& value, const Loop& loop) const {
  const auto* instruction = dyn_cast<Instruction>(&value);
  return instruction == nullptr || !loop.contains(instruction) || invariants_.contains(instruction);
}

/// What LLVM will take out of the loop.
void loop_analysis::find_invariants(const Loop& loop) {
  invariants_.clear();
  const bool writes = any_of(loop.blocks(), [](const BasicBlock* block) {
    return any_of(*block, [](const Instruction& each) { return each.mayWriteToMemory(); });
  });
  LoopBlocksRPO order(const_cast<Loop*>(&loop));
  order.perform(&loops);
  for (const BasicBlock* block : order)
    for (const Instruction& each : *block) {
      if (isa<PHINode>(each) || each.isTerminator() || each.mayHaveSideEffects())
        continue;
      const bool is_constant =
          !each.mayReadFromMemory() || !writes || each.hasMetadata(LLVMContext::MD_invariant_load);
      if (is_constant && all_of(each.operands(), [&](const Use& use) { return is_invariant(*use, loop); }))
        invariants_.insert(&each);
    }
}

void loop_analysis::add_costs(const Loop& loop, loop_cost& result) {
  for (const BasicBlock* block : loop.blocks()) {
    if (!is_own(block, loop))
      continue;
    const bool is_entered_by_some = is_conditional(*block);
    for (const Instruction& each : *block) {
      if (invariants_.contains(&each) || is_group_barrier(each))
        continue;
      const operation_cost cost = model.in_lanes(each, shapes, lanes);
      latencies_[&each] = cost.latency;
      (is_done_once(each, shapes) ? result.shared
       : is_entered_by_some       ? result.each_if_entered
                                  : result.each) += cost;
    }
  }
}

double loop_analysis::recurrence_of(const Loop& loop) const {
  // Between barriers a group's vectors take turns: none waits for itself.
  if (have_group_barrier(loop.getBlocks()))
    return 0;
  return slowest_recurrence(
      loop, loops,
      {.latency = [&](const Instruction& each) -> std::optional<double> {
         if (invariants_.contains(&each))
           return std::nullopt;
         return latencies_.lookup(&each);
       },
       .is_waited_for = [&](const PHINode& phi) { return is_vector(phi); },
       .is_chosen_after = [&](const BasicBlock& block) { return shapes.is_divergent(&block); }});
}

/// What a loop keeps that lanes leave one by one: which are still in it, and each result as it was when the
/// lane left, unless that is what goes from one iteration to the next.
unsigned loop_analysis::registers_of_leavers(const Loop& loop) const {
  unsigned registers = model.mask_registers(work_item.getContext(), lanes);
  SmallVector<BasicBlock*, 4> exits;
  loop.getUniqueExitBlocks(exits);
  for (const BasicBlock* exit : exits)
    for (const PHINode& result : exit->phis())
      if (any_of(result.incoming_values(), [&](const Use& value) {
            const auto* left = dyn_cast<Instruction>(value);
            return left != nullptr && loop.contains(left) && !is_vector(*left);
          }))
        registers += model.registers_of(*result.getType(), lanes);
  return registers;
}

/// As LLVM's loop vectoriser counts them: values live from their instruction to the last that uses them, in
/// the order of the blocks. But what does not live from one iteration to the next need not be live in all
/// sub-groups at once.
void loop_analysis::add_registers(const Loop& loop, loop_cost& result) const {
  DenseMap<const Value*, unsigned> first, last;
  SmallSetVector<const Value*, 16> from_outside;
  unsigned position = 0;
  LoopBlocksRPO order(const_cast<Loop*>(&loop));
  order.perform(&loops);
  for (const BasicBlock* block : order)
    for (const Instruction& each : *block) {
      if (invariants_.contains(&each))
        continue;
      first[&each] = ++position;
      const bool computes_with_vectors = each.getType()->isVoidTy() ? isa<StoreInst>(each) : is_vector(each);
      for (const Use& operand : each.operands()) {
        last[operand] = position;
        if (computes_with_vectors && isa<Instruction>(operand) && is_invariant(*operand, loop))
          from_outside.insert(operand);
      }
    }
  // Numbers that lanes share fill a register where vectors are computed with them.
  const auto registers_of = [&](const Value& value) -> unsigned {
    if (value.getType()->isVoidTy())
      return 0;
    if (is_vector(value))
      return value.getType()->isIntegerTy(1) ? model.mask_registers(work_item.getContext(), lanes)
                                             : model.registers_of(*value.getType(), lanes);
    if (value.getType()->isIntegerTy(1))
      return 0;
    return value.getType()->isFloatingPointTy() ? 1 : 0;
  };
  for (const Value* value : from_outside)
    (is_vector(*value) ? result.invariant_registers : result.registers) += registers_of(*value);
  for (const PHINode& phi : loop.getHeader()->phis())
    result.recurrent_registers += is_vector(phi) ? registers_of(phi) : 0;
  if (result.is_divergent)
    result.recurrent_registers += registers_of_leavers(loop);
  SmallVector<int> ends(position + 1);
  int now = 0, most = 0;
  for (const BasicBlock* block : order)
    for (const Instruction& each : *block) {
      const unsigned begin = first.lookup(&each);
      if (begin == 0)
        continue;
      now -= ends[begin];
      if (isa<PHINode>(each) && block == loop.getHeader())
        continue;
      const auto registers = int(registers_of(each));
      now += registers;
      most = std::max(most, now);
      if (const unsigned end = last.lookup(&each); end > begin)
        ends[end] += registers;
      else
        now -= registers;
    }
  result.registers += unsigned(most);
}

/// Atomic accesses make lanes wait for each other, private memory of an iteration's own is made lane by lane.
static bool must_stay_alone(const Instruction& instruction) {
  return instruction.isAtomic() || isa<AllocaInst>(instruction);
}

SmallVector<loop_cost, 4> loop_analysis::run() {
  SmallVector<loop_cost, 4> result;
  if (any_of(instructions(work_item), [&](const Instruction& each) {
        return must_stay_alone(each) && loops.getLoopFor(each.getParent()) != nullptr;
      }))
    return result;
  for (Loop* loop : loops.getLoopsInPreorder()) {
    loop_cost& cost = result.emplace_back();
    find_invariants(*loop);
    add_costs(*loop, cost);
    cost.recurrence = recurrence_of(*loop);
    cost.is_divergent = shapes.is_divergent(loop);
    add_registers(*loop, cost);
    cost.weight = cost.trips = trips_of(*loop);
    for (Loop* outer = loop->getParentLoop(); outer != nullptr; outer = outer->getParentLoop())
      cost.weight *= trips_of(*outer);
  }
  return result;
}

SmallVector<loop_cost, 4> find_loop_costs(Function& work_item, FunctionAnalysisManager& analyses,
                                          const cost_model& costs, unsigned lanes) {
  return loop_analysis(work_item, analyses, costs, lanes).run();
}

bool fits_registers(const loop_cost& loop, const cost_model& costs, unsigned sub_groups) {
  return loop.registers + sub_groups * loop.recurrent_registers < costs.vector_registers();
}

/// The slowest of the units, or what the iteration waits for, and its part of the branch at the loop's end
/// that nothing predicts. Lanes come to a block that only some come to with the probability of one half per
/// sub-group, LLVM's guess (getPredBlockCostDivisor); a wider vector does it for all if any does.
double clocks_per_sub_group(const loop_cost& loop, const cost_model& costs, unsigned sub_groups) {
  const double count = sub_groups;
  const double entered = count * (1 - std::pow(0.5, count));
  const auto total = [&](double operation_cost::* unit) {
    return loop.shared.*unit + count * loop.each.*unit + entered * loop.each_if_entered.*unit;
  };
  // What does not change comes from memory where it does not fit.
  const int excess =
      int(loop.registers + sub_groups * (loop.recurrent_registers + loop.invariant_registers)) -
      int(costs.vector_registers());
  const double reloads = std::max(0, excess);
  const processor_units& units = costs.units();
  const double clocks = std::max({total(&operation_cost::vector) / units.vector,
                                  (total(&operation_cost::memory) + reloads) / units.memory,
                                  total(&operation_cost::issue) / units.issue, loop.recurrence});
  const double growth = loop.is_divergent ? std::pow(DIVERGENT_GROWTH, std::log2(count)) : 1;
  return (clocks * growth + units.mispredicted / loop.trips) / count;
}

} // namespace falx::jit::simd
