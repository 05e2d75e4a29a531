// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each work-item goes through a row of its own, %terms long, in which lanes would have to be gathered.
// Before:
//   loop:
//     %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
//     %x = load float, ptr (%row + %k)                             ; %row varies
//     %k.next = add i64 %k, 1
//     br i1 (%k.next == %terms), label %end, label %loop
// (or with the test in a block of its own before). After, for as many elements at once as make a
// transposition (memory/shuffled_access.cpp) cheapest:
//   loop:
//     %k = phi i64 [ 0, %entry ], [ %k.8, %loop ]
//     %x = load float, ptr (%row + %k)
//     %x.1 = load float, ptr (%row + %k + 1)
//     … and six more
//     br i1 (%k.8 == %terms & -8), label %rest, label %loop
//   rest:                                                          ; the loop as it was, for %terms & 7
//
// LLVM's own unrolling is of vectors, when all is a gather already.

#include "frontend/builtin_calls.hpp"
#include "frontend/kernel_attributes.hpp"
#include "pipeline/budgets.hpp"
#include "pipeline/target_machine_analysis.hpp"
#include "vectorizer/analysis/lane_safety.hpp"
#include "vectorizer/cost/access_costs.hpp"
#include "vectorizer/cost/row_elements.hpp"
#include "vectorizer/cost/work_item_costs.hpp"
#include "vectorizer/memory/shuffled_access.hpp"
#include "vectorizer/passes.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopRotationUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#include <llvm/Transforms/Utils/SimplifyIndVar.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <cmath>

using namespace llvm;

namespace falx::jit::simd {

/// What a loop of several elements at once, and one for the rest, must gain.
constexpr double LEAST_GAIN = 1.1;

static bool is_for_all_lanes(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  return call != nullptr && (call->isConvergent() || !builtin_name(instruction).empty());
}

namespace {

/// Decides for one loop.
class row_loop {
public:
  row_loop(const Loop& loop, const work_item_costs& costs, const access_costs& accesses,
           const kernel_attributes& attributes)
      : loop_(loop), costs_(costs), accesses_(accesses), attributes_(attributes),
        layout_(costs.work_item.getDataLayout()) {}
  /// Iterations that are to be one; 1 if all stays as it is.
  unsigned count() const;

private:
  bool can_unroll() const;
  bool goes_through_row(const Instruction& instruction) const;
  double cost_of(Instruction& row, unsigned count) const;

  const Loop& loop_;
  const work_item_costs& costs_;
  const access_costs& accesses_;
  const kernel_attributes& attributes_;
  const DataLayout& layout_;
};

} // namespace

/// All lanes leave the loop in the same iteration, it is one block once it is rotated, and nothing in it is
/// for all lanes together.
bool row_loop::can_unroll() const {
  const BasicBlock *header = loop_.getHeader(), *latch = loop_.getLoopLatch();
  return latch != nullptr && loop_.getLoopPreheader() != nullptr && loop_.getExitingBlock() == header &&
         (latch == header || (loop_.getNumBlocks() == 2 && latch->getSinglePredecessor() == header)) &&
         !costs_.shapes.is_divergent(&loop_) &&
         !isa<SCEVCouldNotCompute>(costs_.evolution.getBackedgeTakenCount(&loop_)) &&
         none_of(loop_.blocks(), [](const BasicBlock* block) { return any_of(*block, is_for_all_lanes); });
}

/// Loads or stores one element after the other, but not of memory that lanes share: they lie a constant
/// distance apart, or, if they are loaded, anywhere.
bool row_loop::goes_through_row(const Instruction& instruction) const {
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  if (pointer == nullptr || instruction.isAtomic() || instruction.isVolatile() ||
      !has_vector_layout(getLoadStoreType(&instruction), layout_) ||
      isa<AllocaInst>(getUnderlyingObject(pointer)))
    return false;
  const auto size = std::int64_t(layout_.getTypeStoreSize(getLoadStoreType(&instruction)));
  const lane_shape shape = costs_.shapes[pointer];
  const bool lies_apart = shape.is_progression() && std::abs(shape.stride) > size &&
                          shape.stride % size == 0 && std::abs(shape.stride) <= FARTHEST_LANES / costs_.lanes;
  const bool lies_anywhere = shape.is_varying() && isa<LoadInst>(instruction);
  if ((!lies_anywhere && !lies_apart) || (size < 4 && !attributes_.computes_under_masks))
    return false;
  const std::optional<double> step =
      costs_.likely_step(*costs_.evolution.getSCEV(const_cast<Value*>(pointer)), loop_);
  return step && std::abs(*step) == double(size);
}

/// Of \p count elements of each lane that \p row accesses one after the other, each of them.
double row_loop::cost_of(Instruction& row, unsigned count) const {
  const double scattered = accesses_.of_scattered(row, costs_.lanes);
  const lane_shape shape = costs_.shapes[getLoadStorePointerOperand(&row)];
  if (shape.is_varying() && count == 1)
    return scattered;
  shuffled_access access;
  access.element = layout_.getTypeStoreSize(getLoadStoreType(&row));
  access.is_store = isa<StoreInst>(row);
  for (unsigned at = 0; at < count; ++at)
    access.members.push_back({&row, at});
  if (shape.is_varying()) {
    plan_lanes_apart(access, costs_.lanes, accesses_);
  } else {
    const std::int64_t step = shape.stride / std::int64_t(access.element);
    if (count > std::abs(step))
      return scattered;
    access.row = costs_.lanes;
    for (unsigned lane = 0; lane < access.row; ++lane)
      access.starts.push_back(step * lane);
    access.plan = plan_access(access, costs_.lanes, accesses_);
  }
  return std::min(scattered, access.plan.cost / count);
}

unsigned row_loop::count() const {
  if (!can_unroll())
    return 1;
  SmallVector<Instruction*, 4> rows;
  std::size_t size = 0;
  for (BasicBlock* block : loop_.blocks()) {
    size += block->size();
    for (Instruction& each : *block)
      if (goes_through_row(each))
        rows.push_back(&each);
  }
  if (rows.empty())
    return 1;
  const auto each_iteration = [&](unsigned count) {
    double sum = 0;
    for (Instruction* row : rows)
      sum += cost_of(*row, count);
    return sum;
  };
  const unsigned trips = costs_.evolution.getSmallConstantTripCount(&loop_);
  // LLVM unrolls them, too, and what is multiplied by the number of the iteration stays a product of vectors.
  if (trips != 0 && trips <= MOST_ROW_ELEMENTS && all_of(rows, IsaPred<StoreInst>))
    return 1;
  unsigned best = 1;
  double least = each_iteration(1) / LEAST_GAIN;
  for (unsigned count = 2; count <= MOST_ROW_ELEMENTS && count * size <= LARGE_ROW_LOOP; count *= 2) {
    if (trips != 0 && trips < count)
      break;
    if (const double cost = each_iteration(count); cost < least) {
      best = count;
      least = cost;
    }
  }
  return best;
}

/// What is the same in all iterations goes before \p loop, as far as it may be computed there: SCEV, which
/// tells how many iterations there are, does not look through loads.
static void hoist_invariants(Loop& loop) {
  BasicBlock* before = loop.getLoopPreheader();
  for (BasicBlock* block : loop.blocks())
    for (Instruction& each : make_early_inc_range(*block))
      if (!isa<PHINode>(each) && !each.isTerminator() && loop.hasLoopInvariantOperands(&each) &&
          (!each.mayReadFromMemory() || each.hasMetadata(LLVMContext::MD_invariant_load)) &&
          isSafeToSpeculativelyExecute(&each, before->getTerminator()))
        each.moveBefore(before->getTerminator()->getIterator());
}

/// To 64 bits, of \p counter or of a sum or product with it; null if there is none in \p loop.
static const CastInst* extension_of(const PHINode& counter, const Loop& loop) {
  SmallSetVector<const Instruction*, 8> found;
  found.insert(&counter);
  for (unsigned next = 0; next < found.size(); ++next)
    for (const User* user : found[next]->users()) {
      const auto* step = cast<Instruction>(user);
      if (!loop.contains(step))
        continue;
      if (isa<SExtInst, ZExtInst>(step) && step->getType()->isIntegerTy(64))
        return cast<CastInst>(step);
      if (isa<BinaryOperator>(step))
        found.insert(step);
    }
  return nullptr;
}

/// Counters of fewer than 64 bits that are extended for addresses become numbers of 64 bits: extensions of k
/// and k + 1 do not look as if they were neighbours.
static void widen_counters(Loop& loop, LoopInfo& loops, ScalarEvolution& evolution,
                           DominatorTree& dominators) {
  SCEVExpander expander(evolution, "wide");
  SmallVector<WeakTrackingVH, 8> dead;
  for (PHINode& phi : make_early_inc_range(loop.getHeader()->phis())) {
    const CastInst* extension = extension_of(phi, loop);
    if (extension == nullptr || !evolution.isSCEVable(phi.getType()))
      continue;
    unsigned extensions = 0, widened = 0;
    createWideIV({&phi, extension->getType(), isa<SExtInst>(extension)}, &loops, &evolution, expander,
                 &dominators, dead, extensions, widened, /*HasGuards=*/false,
                 /*UsePostIncrementRanges=*/true);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

/// Whether any loop has changed.
static bool unroll_rows(Function& work_item, FunctionAnalysisManager& analyses,
                        const TargetMachine* machine) {
  const kernel_attributes attributes = kernel_attributes::read(work_item);
  auto& loops = analyses.getResult<LoopAnalysis>(work_item);
  if (!attributes.has_items() || loops.empty())
    return false;
  for (Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopPreheader() != nullptr)
      hoist_invariants(*loop);
  const cost_model model = costs_of(work_item, attributes, machine);
  const TargetTransformInfo& target = analyses.getResult<TargetIRAnalysis>(work_item);
  const access_costs accesses(target);
  SmallVector<std::pair<Loop*, unsigned>, 4> chosen;
  {
    const work_item_costs costs(work_item, analyses, model, attributes.sub_group_size);
    const auto register_bits =
        unsigned(target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector));
    for (Loop* loop : loops.getLoopsInPreorder())
      note_row_elements(*loop, costs.evolution, register_bits);
    for (Loop* loop : loops.getLoopsInPreorder())
      if (const unsigned count = row_loop(*loop, costs, accesses, attributes).count(); count > 1)
        chosen.emplace_back(loop, count);
  }
  if (chosen.empty())
    return false;
  OptimizationRemarkEmitter remarks(&work_item);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(work_item);
  auto& dominators = analyses.getResult<DominatorTreeAnalysis>(work_item);
  auto& assumptions = analyses.getResult<AssumptionAnalysis>(work_item);
  for (const auto& [loop, count] : chosen) {
    if (loop->getLoopLatch() != loop->getHeader())
      LoopRotation(loop, &loops, &target, &assumptions, &dominators, &evolution, nullptr,
                   SimplifyQuery(work_item.getDataLayout(), &dominators, &assumptions), /*RotationOnly=*/true,
                   LARGE_ROW_LOOP, /*IsUtilMode=*/false);
    widen_counters(*loop, loops, evolution, dominators);
    UnrollLoopOptions options{};
    options.Count = count;
    options.Force = true;
    options.Runtime = true;
    options.SCEVExpansionBudget = MOST_TRIP_COUNT_INSTRUCTIONS;
    Loop* rest = nullptr;
    const LoopUnrollResult result =
        UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &target, &remarks,
                   /*PreserveLCSSA=*/true, &rest);
    if (result == LoopUnrollResult::PartiallyUnrolled)
      loop->setLoopAlreadyUnrolled();
    if (rest != nullptr)
      rest->setLoopAlreadyUnrolled();
  }
  return true;
}

PreservedAnalyses unroll_row_loops::run(Module& module, ModuleAnalysisManager& analyses) {
  const TargetMachine* machine = analyses.getResult<target_machine_analysis>(module).machine;
  return change_kernel(module, analyses, [&](Function& work_item, FunctionAnalysisManager& functions) {
    if (unroll_rows(work_item, functions, machine))
      unroll_and_simplify(work_item, functions);
    return Error::success();
  });
}

} // namespace falx::jit::simd
