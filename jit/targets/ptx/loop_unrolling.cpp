// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                     After:
//   br i1 %again, label %loop, label %end       br i1 %again, label %loop, label %end, !llvm.loop !0
//                                             !0 = distinct !{!0, !1}
//                                             !1 = !{!"llvm.loop.unroll.count", i32 4}
//
// If the number of iterations is known or known to be a multiple of something, counts that divide it are
// asked for. If it is known to be at most eight, there are as many copies, each with its exits
// ("llvm.loop.unroll.enable"). Else loops that read memory or compute what takes long (quotients, roots,
// powers) get four copies or two, as long as finding out how often to run them takes no division by a number
// that only the launch knows, and unless the assembler makes a loop in them, past which no load moves. What
// these copies leave over, three iterations at most, LLVM makes a loop of, which a second pass unrolls.
//
// LLVM makes no rest of loops in which work-items exchange values (votes, shuffles), as they may leave such
// loops one by one. Where the launch says how long they are, they leave together, so this pass makes the
// copies.
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
#include "pipeline/nested_passes.hpp"
#include "ptx_ir.hpp"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Support/NVPTXAddrSpace.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <optional>

using namespace llvm;

namespace falx::jit {

static bool is_barrier(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->getName().starts_with("llvm.nvvm.barrier");
}

struct loop_body {
  unsigned size = 0;      ///< instructions of one iteration
  bool waits = false;     ///< for memory, or for what takes as long to compute
  bool exchanges = false; ///< with other work-items
  bool has_loop = false;  ///< that the assembler makes
};

/// A multiprocessor adds no floating-point numbers in its own memory: the assembler tries until nobody else
/// has changed them meanwhile.
static bool is_loop_of_assembler(const Instruction& instruction) {
  const auto* update = dyn_cast<AtomicRMWInst>(&instruction);
  return update != nullptr && update->isFloatingPointOperation() &&
         update->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
}

/// What is computed apart from most instructions and takes several times as long: approximations, and what is
/// made of them.
static bool takes_long(const Instruction& instruction) {
  if (const auto* call = dyn_cast<IntrinsicInst>(&instruction)) {
    if (call->getIntrinsicID() == Intrinsic::sqrt)
      return true;
    constexpr StringRef APPROXIMATED[] = {"ex2", "lg2", "sin", "cos", "tanh", "rcp", "rsqrt", "sqrt", "div"};
    StringRef name = call->getCalledFunction()->getName();
    return name.consume_front("llvm.nvvm.") && is_contained(APPROXIMATED, name.split('.').first);
  }
  switch (instruction.getOpcode()) {
  case Instruction::FDiv:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return !isa<Constant>(instruction.getOperand(1));
  default:
    return isa<LoadInst>(instruction);
  }
}

/// None if the loop is not to be copied.
static std::optional<loop_body> body_of(const Loop& loop) {
  loop_body body;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      if (isa<PHINode>(instruction) || instruction.isDebugOrPseudoInst() ||
          instruction.isLifetimeStartOrEnd())
        continue;
      if (const auto* call = dyn_cast<CallBase>(&instruction)) {
        if (call->cannotDuplicate() || is_barrier(*call) ||
            (!isa<IntrinsicInst>(call) && !call->isInlineAsm()))
          return std::nullopt;
        body.exchanges |= call->isConvergent();
      }
      body.waits |= takes_long(instruction);
      body.has_loop |= is_loop_of_assembler(instruction);
      ++body.size;
    }
  return body;
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

/// Does \p value, as far as is looked, depend on the work-item's place in its group?
static bool is_of_work_item(const Value& value, unsigned depth = 4) {
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (const auto* call = dyn_cast_or_null<IntrinsicInst>(instruction))
    return is_contained({Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
                         Intrinsic::nvvm_read_ptx_sreg_tid_z, Intrinsic::nvvm_read_ptx_sreg_laneid},
                        call->getIntrinsicID());
  if (depth == 0 || instruction == nullptr ||
      !(isa<CastInst>(instruction) || isa<BinaryOperator>(instruction)))
    return false;
  return any_of(instruction->operand_values(),
                [&](const Value* operand) { return is_of_work_item(*operand, depth - 1); });
}

/// Work-items that share the iterations of a loop, each one in so many, differ by one iteration, others by
/// more. What copies leave over some of them then go through while the others wait: a pass more for the warp.
static bool differs_among_work_items(const Loop& loop, ScalarEvolution& evolution) {
  return SCEVExprContains(evolution.getBackedgeTakenCount(&loop), [](const SCEV* part) {
    const auto* unknown = dyn_cast<SCEVUnknown>(part);
    return unknown != nullptr && is_of_work_item(*unknown->getValue());
  });
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
    return !is_captured(*unknown->getValue());
  });
}

/// The most iterations of a loop that is to be unrolled whole, though it may have fewer; 0 if it is not.
static unsigned bounded_trips(const Loop& loop, const loop_body& body, ScalarEvolution& evolution) {
  const unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
  const bool is_short = most > 1 && most <= MOST_COPIES && most * body.size <= BOUNDED_LOOP_INSTRUCTIONS;
  return is_short && !body.exchanges ? most : 0;
}

struct copies {
  unsigned count = 1;
  bool without_llvm = false; ///< LLVM makes no rest of such a loop
  bool is_bound = false;     ///< There may be fewer iterations
};

static copies copies_of(const Loop& loop, ScalarEvolution& evolution) {
  const std::optional<loop_body> body = body_of(loop);
  if (!body)
    return {};
  const unsigned size = std::max(body->size, 1u);
  const unsigned affordable = std::min(UNROLLED_INSTRUCTIONS / size, MOST_COPIES);
  const unsigned trips = evolution.getSmallConstantTripCount(&loop);
  if (const unsigned most = trips == 0 ? bounded_trips(loop, *body, evolution) : 0)
    return {.count = most, .is_bound = true};
  if (loop.getExitingBlock() == nullptr)
    return {};
  if (trips != 0 && trips <= WHOLE_LOOP_INSTRUCTIONS / size)
    return {trips};
  const unsigned divisor = trips != 0 ? trips : evolution.getSmallConstantTripMultiple(&loop);
  unsigned dividing = 1;
  for (unsigned count = 2; count <= affordable; count *= 2)
    if (divisor % count == 0)
      dividing = count;
  if (dividing > 1)
    return {dividing};
  const bool is_worth_it = body->exchanges ? has_length_of_launch(loop, evolution) : body->waits;
  if (!is_worth_it || body->has_loop || !has_cheap_trip_count(loop, evolution))
    return {};
  const unsigned copies = copies_for_unknown_trips(size, evolution.getSmallConstantMaxTripCount(&loop));
  return {copies == 2 && differs_among_work_items(loop, evolution) ? 1 : copies, body->exchanges};
}

/// Makes the copies, and a loop for what they leave over, if they may, by LLVM's utility.
static void unroll(Loop& loop, unsigned copies, Function& function, FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<LoopAnalysis>(function);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto& assumptions = analyses.getResult<AssumptionAnalysis>(function);
  simplifyLoop(&loop, &dominators, &loops, &evolution, &assumptions, nullptr, /*PreserveLCSSA=*/false);
  formLCSSARecursively(loop, dominators, &loops, &evolution);
  UnrollLoopOptions options = {};
  options.Count = copies;
  options.Force = true;
  options.Runtime = true;
  options.ForgetAllSCEV = true;
  options.SCEVExpansionBudget = SCEVCheapExpansionBudget;
  if (UnrollLoop(&loop, options, &loops, &evolution, &dominators, &assumptions,
                 &analyses.getResult<TargetIRAnalysis>(function),
                 &analyses.getResult<OptimizationRemarkEmitterAnalysis>(function),
                 /*PreserveLCSSA=*/true) == LoopUnrollResult::PartiallyUnrolled)
    loop.setLoopAlreadyUnrolled();
}

/// Of loops of which the program does not say how far to unroll them, and of which it does. Copies of a loop
/// keep it; what they leave over has neither.
constexpr const char *UNROLLABLE = "falx.loop.unrollable", *DECIDED = "falx.loop.decided";

PreservedAnalyses request_unrolling::run(Function& function, FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<LoopAnalysis>(function);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (Loop* loop : loops.getLoopsInPreorder()) {
    const bool is_decided = hasUnrollTransformation(loop) != TM_Unspecified;
    addStringMetadataToLoop(loop, is_decided ? DECIDED : UNROLLABLE, 1);
    if (is_decided || !loop->isInnermost())
      continue;
    const copies wanted = copies_of(*loop, evolution);
    if (wanted.count == 1)
      continue;
    changed |= wanted.without_llvm;
    if (wanted.without_llvm)
      unroll(*loop, wanted.count, function, analyses);
    else if (wanted.is_bound)
      addStringMetadataToLoop(loop, "llvm.loop.unroll.enable", 1);
    else
      addStringMetadataToLoop(loop, "llvm.loop.unroll.count", wanted.count);
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/// LLVM forbids to unroll what its copies leave over.
static bool is_left_over(const Loop& loop) {
  MDNode* const id = loop.getLoopID();
  return hasUnrollTransformation(&loop) == TM_SuppressedByUser &&
         findOptionMDForLoopID(id, UNROLLABLE) == nullptr && findOptionMDForLoopID(id, DECIDED) == nullptr;
}

PreservedAnalyses unroll_remainders::run(Function& function, FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  SmallVector<std::pair<Loop*, unsigned>> wanted;
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (const std::optional<loop_body> body = body_of(*loop);
        body && loop->isInnermost() && is_left_over(*loop) && evolution.getSmallConstantTripCount(loop) == 0)
      if (const unsigned most = bounded_trips(*loop, *body, evolution))
        wanted.emplace_back(loop, most);
  if (wanted.empty())
    return PreservedAnalyses::all();
  for (const auto& [loop, most] : wanted)
    unroll(*loop, most, function, analyses);
  FunctionPassManager simplification;
  simplification.addPass(InstCombinePass());
  run_nested(std::move(simplification), function, analyses);
  return PreservedAnalyses::none();
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
