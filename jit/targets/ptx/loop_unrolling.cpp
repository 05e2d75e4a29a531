// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                     After:
//   br i1 %again, label %loop, label %end       br i1 %again, label %loop, label %end, !llvm.loop !0
//                                             !0 = distinct !{!0, !1}
//                                             !1 = !{!"llvm.loop.unroll.count", i32 4}
//
// If the number of iterations is known or known to be a multiple of something, only counts that divide it are
// asked for. Else loops that read memory get four copies or two, as long as finding out how often to run them
// takes no division by a number that only the launch knows.
//
// Once LLVM has made its copies, it forbids further ones, and the code generator hands that on to the
// assembler. But the assembler copies loops, too, and knows how many registers that costs: of the eight loads
// of a copied loop it has 96 under way where it may. So where the number of iterations is known
//
//   br i1 %again, label %loop, label %end, !llvm.loop !0          br i1 %again, label %loop, label %end
//   !0 = distinct !{!0, !1, !2}
//   !1 = !{!"falx.loop.unrollable", i32 1}
//   !2 = !{!"llvm.loop.unroll.disable"}
//
// except for loops of which the program says how far they are to be unrolled. Where the number is not known,
// the assembler's copies around ours cost a loop of few iterations more than they gain: it passes several
// loops then (HeCBench's moe on H100: 0.83 of the speed). So the assembler gets those that each work-item
// goes through in full length, which captured numbers say and which is no share of them (hausdorff: 1.34).

#include "cost_model.hpp"
#include "passes.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <optional>

using namespace llvm;

namespace falx::jit {

/// Instructions of one iteration; none if the loop is not to be copied.
static std::optional<unsigned> size_of(const Loop& loop) {
  unsigned size = 0;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      if (isa<PHINode>(instruction) || instruction.isDebugOrPseudoInst() ||
          instruction.isLifetimeStartOrEnd())
        continue;
      if (const auto* call = dyn_cast<CallBase>(&instruction)) {
        if (call->isConvergent() || call->cannotDuplicate() ||
            (!isa<IntrinsicInst>(call) && !call->isInlineAsm()))
          return std::nullopt;
      }
      ++size;
    }
  return size;
}

static bool reads_memory(const Loop& loop) {
  return any_of(loop.blocks(), [](const BasicBlock* block) {
    return any_of(*block, [](const Instruction& instruction) { return isa<LoadInst>(instruction); });
  });
}

/// Its copies have nothing in flight that needs registers.
static bool is_arithmetic(const Loop& loop) {
  return loop.getNumBlocks() == 1 && none_of(*loop.getHeader(), [](const Instruction& instruction) {
           return instruction.mayReadOrWriteMemory();
         });
}

static bool has_cheap_trip_count(const Loop& loop, ScalarEvolution& evolution) {
  const SCEV* count = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(count))
    return false;
  return !SCEVExprContains(count, [](const SCEV* part) {
    const auto* division = dyn_cast<SCEVUDivExpr>(part);
    return division != nullptr && !isa<SCEVConstant>(division->getRHS());
  });
}

/// \p most_trips: 0 if that is not known either.
static unsigned copies_for_unknown_trips(unsigned size, unsigned most_trips) {
  const auto is_long_enough = [&](unsigned copies) { return most_trips == 0 || most_trips >= 2 * copies; };
  if (size * UNKNOWN_TRIPS_COPIES <= UNKNOWN_TRIPS_INSTRUCTIONS && is_long_enough(UNKNOWN_TRIPS_COPIES))
    return UNKNOWN_TRIPS_COPIES;
  return size * 2 <= PAIR_INSTRUCTIONS && is_long_enough(2) ? 2 : 1;
}

static unsigned copies_of(const Loop& loop, ScalarEvolution& evolution) {
  const std::optional<unsigned> size = size_of(loop);
  if (!size || loop.getExitingBlock() == nullptr)
    return 1;
  const unsigned affordable = std::min(UNROLLED_INSTRUCTIONS / std::max(*size, 1u), MOST_COPIES);
  const unsigned trips = evolution.getSmallConstantTripCount(&loop);
  if (trips != 0 && is_arithmetic(loop) && trips <= WHOLE_LOOP_INSTRUCTIONS / std::max(*size, 1u))
    return trips;
  const unsigned multiple = evolution.getSmallConstantTripMultiple(&loop);
  unsigned copies = 1;
  for (unsigned count = 2; count <= affordable; count *= 2)
    if ((trips != 0 ? trips : multiple) % count == 0)
      copies = count;
  if (copies > 1 || trips != 0)
    return copies;
  return reads_memory(loop) && has_cheap_trip_count(loop, evolution)
             ? copies_for_unknown_trips(*size, evolution.getSmallConstantMaxTripCount(&loop))
             : 1;
}

/// Is the length that of something which the launch says, the same for all work-items, and no share of it?
static bool has_length_of_launch(const Loop& loop, ScalarEvolution& evolution) {
  const SCEV* count = evolution.getBackedgeTakenCount(&loop);
  return !isa<SCEVCouldNotCompute>(count) && !SCEVExprContains(count, [](const SCEV* part) {
    if (const auto* division = dyn_cast<SCEVUDivExpr>(part)) {
      const auto* shares = dyn_cast<SCEVConstant>(division->getRHS());
      return shares == nullptr || shares->getAPInt().uge(LEAST_SHARES);
    }
    if (const auto* low_bits = dyn_cast<SCEVTruncateExpr>(part)) // what copies leave over
      return low_bits->getType()->getIntegerBitWidth() < 8;
    const auto* unknown = dyn_cast<SCEVUnknown>(part);
    if (unknown == nullptr)
      return isa<SCEVAddRecExpr>(part);
    const auto* load = dyn_cast<LoadInst>(unknown->getValue());
    return !isa<Argument>(load != nullptr ? getUnderlyingObject(load->getPointerOperand())
                                          : unknown->getValue());
  });
}

/// Of loops of which the program does not say how far to unroll them. Copies of a loop keep it.
constexpr const char* UNROLLABLE = "falx.loop.unrollable";

PreservedAnalyses request_unrolling::run(Function& function, FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<LoopAnalysis>(function);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (hasUnrollTransformation(loop) != TM_Unspecified)
      continue;
    addStringMetadataToLoop(loop, UNROLLABLE, 1);
    if (!loop->isInnermost())
      continue;
    if (const unsigned copies = copies_of(*loop, evolution); copies > 1)
      addStringMetadataToLoop(loop, "llvm.loop.unroll.count", copies);
  }
  return PreservedAnalyses::all();
}

PreservedAnalyses leave_unrolling_to_assembler::run(Function& function, FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<LoopAnalysis>(function);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    MDNode* id = loop->getLoopID();
    if (id == nullptr || findOptionMDForLoopID(id, UNROLLABLE) == nullptr ||
        (evolution.getSmallConstantTripCount(loop) == 0 && !has_length_of_launch(*loop, evolution)))
      continue;
    loop->setLoopID(
        makePostTransformationMetadata(function.getContext(), id, {"llvm.loop.unroll.", UNROLLABLE}, {}));
  }
  return PreservedAnalyses::all();
}

} // namespace falx::jit
