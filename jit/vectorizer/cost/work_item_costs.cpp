// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work_item_costs.hpp"
#include "frontend/kernel_attributes.hpp"
#include "pipeline/target_machine_analysis.hpp"
#include "vectorizer/emission/vector_calls.hpp"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
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
