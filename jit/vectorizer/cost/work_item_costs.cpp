// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work_item_costs.hpp"
#include "frontend/kernel_attributes.hpp"
#include "pipeline/target_machine_analysis.hpp"
#include "vectorizer/emission/vector_calls.hpp"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>

#include <algorithm>

using namespace llvm;

namespace falx::jit::simd {

cost_model costs_of(Function& work_item, const kernel_attributes& attributes, const TargetMachine* machine) {
  use_math_instructions(work_item);
  if (machine != nullptr)
    set_target_attributes(work_item, *machine);
  return cost_model(machine, work_item, !attributes.vector_math.empty());
}

work_item_costs::work_item_costs(Function& work_item, FunctionAnalysisManager& analyses,
                                 const cost_model& model, unsigned lanes)
    : work_item(work_item), model(model), lanes(lanes),
      dominators(analyses.getResult<DominatorTreeAnalysis>(work_item)),
      post_dominators(analyses.getResult<PostDominatorTreeAnalysis>(work_item)),
      loops(analyses.getResult<LoopAnalysis>(work_item)),
      evolution(analyses.getResult<ScalarEvolutionAnalysis>(work_item)),
      shapes(work_item, uniformity(work_item), loops, lanes) {}

double work_item_costs::trips_of(const Loop& loop) const {
  if (const unsigned trips = evolution.getSmallConstantTripCount(&loop))
    return trips;
  // Lanes that leave at places of their own do so anywhere up to the end.
  const unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
  return most != 0 ? std::min(std::max(most / 2.0, 1.0), GUESSED_ITERATIONS) : GUESSED_ITERATIONS;
}

std::optional<double> work_item_costs::likely_step(const SCEV& value, const Loop& loop) const {
  if (evolution.isLoopInvariant(&value, &loop))
    return 0;
  if (const auto* cast = dyn_cast<SCEVCastExpr>(&value))
    return likely_step(*cast->getOperand(), loop);
  if (const auto* add = dyn_cast<SCEVAddExpr>(&value)) {
    double sum = 0;
    for (const SCEV* operand : add->operands()) {
      const std::optional<double> step = likely_step(*operand, loop);
      if (!step)
        return std::nullopt;
      sum += *step;
    }
    return sum;
  }
  if (const auto* product = dyn_cast<SCEVMulExpr>(&value);
      product != nullptr && product->getNumOperands() == 2) {
    const auto* factor = dyn_cast<SCEVConstant>(product->getOperand(0));
    const std::optional<double> step = likely_step(*product->getOperand(1), loop);
    return factor != nullptr && step ? std::optional(*step * factor->getAPInt().signedRoundToDouble())
                                     : std::nullopt;
  }
  if (const auto* recurrence = dyn_cast<SCEVAddRecExpr>(&value)) {
    const auto* step = dyn_cast<SCEVConstant>(recurrence->getOperand(1));
    if (recurrence->getLoop() != &loop || !recurrence->isAffine() || step == nullptr)
      return std::nullopt;
    return step->getAPInt().signedRoundToDouble();
  }
  const auto* unknown = dyn_cast<SCEVUnknown>(&value);
  if (unknown == nullptr)
    return std::nullopt;
  if (shapes[unknown->getValue()].is_uniform())
    return 0;
  // A counter that some iterations let alone.
  const auto* phi = dyn_cast<PHINode>(unknown->getValue());
  if (phi == nullptr || phi->getParent() != loop.getHeader() || loop.getLoopLatch() == nullptr)
    return std::nullopt;
  const SCEV* next = evolution.getSCEV(phi->getIncomingValueForBlock(loop.getLoopLatch()));
  const SCEV* grown = evolution.getMinusSCEV(next, &value);
  if (isa<SCEVCouldNotCompute>(grown)) // pointers to different objects, as of a list's nodes
    return std::nullopt;
  const ConstantRange steps = evolution.getSignedRange(grown);
  if (steps.isFullSet())
    return std::nullopt;
  return (steps.getSignedMin().signedRoundToDouble() + steps.getSignedMax().signedRoundToDouble()) / 2;
}

bool work_item_costs::is_conditional(const BasicBlock& block) const {
  const Loop* loop = loops.getLoopFor(&block);
  for (auto* node = dominators.getNode(&block)->getIDom(); node != nullptr; node = node->getIDom()) {
    const BasicBlock* from = node->getBlock();
    const Loop* around = loops.getLoopFor(from);
    if (loop != nullptr && !loop->contains(from))
      break;
    if (shapes.is_divergent(from) && !post_dominators.dominates(&block, from) &&
        (around == nullptr || !around->isLoopExiting(from)))
      return true;
  }
  return false;
}

} // namespace falx::jit::simd
