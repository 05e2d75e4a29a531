// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A group goes through memory row by row, and counts what it finds:
//   for (i = 0; i < rows; ++i)
//     ++counts[in[i * row_length + local_id]];
// One sub-group after the other, it would come by each row many times, each time for one vector's worth. With
// a barrier in every iteration the group's sub-groups go through a row together, and memory is read in order.
//
// Before:                                             After:
//   loop:                                               loop:
//     %i = phi i64 [ 0, %entry ], [ %next, %row ]         %i = phi i64 [ 0, %entry ], [ %next, %row ]
//     %more = icmp ult i64 %i, %rows                      %more = icmp ult i64 %i, %rows
//     br i1 %more, label %row, label %end                 br i1 %more, label %row, label %end
//   row:                                                row:
//     …                                                   call void @__falx_work_group_barrier()
//                                                         …
//
// A barrier that all work-items reach takes nothing from a program. It costs what work-items have to keep
// until the next iteration, so loops with such values stay: sums are better kept in registers. It stands
// behind the loop's test, which then ends what a sub-group does with a row, the same for all: in front of it,
// each sub-group would branch on it first.

#include "frontend/builtin_calls.hpp"
#include "frontend/kernel_attributes.hpp"
#include "passes.hpp"
#include "region_values.hpp"
#include "vectorizer/analysis/lane_shapes.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

namespace {

class step_keeping {
public:
  step_keeping(Function& work_item, FunctionAnalysisManager& analyses)
      : work_item_(work_item), attributes_(kernel_attributes::read(work_item)),
        loops_(analyses.getResult<LoopAnalysis>(work_item)), uniform_(work_item),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(work_item)) {}
  void run();

private:
  bool only_computes(const Loop& loop) const;
  bool keeps_nothing(const Loop& loop, BasicBlock& row);
  bool goes_row_by_row(const Loop& loop);

  Function& work_item_;
  const kernel_attributes attributes_;
  const LoopInfo& loops_;
  uniformity uniform_;
  ScalarEvolution& evolution_;
};

} // namespace

/// Nothing in the loop waits, or has effects that nobody can see through.
bool step_keeping::only_computes(const Loop& loop) const {
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      const auto* call = dyn_cast<CallInst>(&instruction);
      if (instruction.isVolatile() || isa<AllocaInst>(instruction) ||
          (call != nullptr && (call->isConvergent() || !call->doesNotAccessMemory())))
        return false;
    }
  return true;
}

/// Where what an iteration does begins: behind the test for another one, if the loop begins with that.
static BasicBlock& start_of_row(const Loop& loop) {
  BasicBlock& header = *loop.getHeader();
  for (BasicBlock* next : successors(&header))
    if (loop.isLoopExiting(&header) && loop.contains(next) && next->getSinglePredecessor() == &header)
      return *next;
  return header;
}

/// From one iteration to the next, as \p row begins, work-items have nothing of their own that cannot be
/// computed again.
bool step_keeping::keeps_nothing(const Loop& loop, BasicBlock& row) {
  if (any_of(loop.getHeader()->phis(), [&](const PHINode& phi) { return !uniform_.is_uniform(&phi); }))
    return false;
  return none_of(find_live_values(work_item_, &row, &uniform_),
                 [](const live_value& live) { return live.how == live_value::keeping::varying; }) &&
         find_shared_variables(work_item_, &row).empty();
}

/// What each of \p loop's iterations adds to \p value, or null; the base may be loaded in the loop.
static const SCEV* step_of(Value& value, const Loop& loop, ScalarEvolution& evolution) {
  const SCEV* whole = evolution.getSCEV(&value);
  SmallVector<const SCEV*, 4> parts = {whole};
  if (const auto* sum = dyn_cast<SCEVAddExpr>(whole))
    parts.assign(sum->operands().begin(), sum->operands().end());
  for (const SCEV* part : parts)
    if (const auto* progression = dyn_cast<SCEVAddRecExpr>(part);
        progression != nullptr && progression->getLoop() == &loop)
      return progression->getStepRecurrence(evolution);
  return nullptr;
}

/// Work-items side by side access elements side by side, and in the next iteration those of another row.
bool step_keeping::goes_row_by_row(const Loop& loop) {
  const simd::lane_shapes shapes(work_item_, uniform_, loops_, attributes_.lanes);
  bool has_rows = false;
  for (BasicBlock* block : loop.blocks())
    for (Instruction& instruction : *block) {
      Value* pointer = getLoadStorePointerOperand(&instruction);
      const Value* object = pointer != nullptr ? getUnderlyingObject(pointer) : nullptr;
      if (object == nullptr || isa<AllocaInst>(object) ||
          object == argument(work_item_, parameter::local_memory))
        continue;
      const auto size =
          std::int64_t(instruction.getDataLayout().getTypeStoreSize(getLoadStoreType(&instruction)));
      const simd::lane_shape shape = shapes[pointer];
      if (!shape.is_progression() || (shape.stride != 0 && shape.stride != size))
        return false;
      const SCEV* to_next_row = shape.is_uniform() ? nullptr : step_of(*pointer, loop, evolution_);
      if (to_next_row == nullptr)
        continue;
      const auto* length = dyn_cast<SCEVConstant>(to_next_row);
      has_rows |= length == nullptr || length->getAPInt().abs().ugt(std::uint64_t(size) * attributes_.lanes);
    }
  return has_rows;
}

void step_keeping::run() {
  if (attributes_.knows_local_range() && attributes_.group_size() <= attributes_.lanes)
    return;
  SmallVector<BasicBlock*> rows;
  for (Loop* loop : loops_.getLoopsInPreorder())
    if (loop->isInnermost() && only_computes(*loop)) {
      BasicBlock& row = start_of_row(*loop);
      if (uniform_.is_reached_by_all(row) && keeps_nothing(*loop, row) && goes_row_by_row(*loop))
        rows.push_back(&row);
    }
  for (BasicBlock* row : rows) {
    IRBuilder<> builder(row, row->getFirstInsertionPt());
    call_function(builder, "__falx_work_group_barrier", builder.getVoidTy())->setConvergent();
  }
}

void keep_loops_in_step::change(Function& work_item, FunctionAnalysisManager& analyses) {
  if (kernel_attributes::read(work_item).kind == kernel_kind::nd_range)
    step_keeping(work_item, analyses).run();
}

} // namespace falx::jit
