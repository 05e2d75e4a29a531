// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recurrences of any kind are found by playing iterations through: each value is ready some latency after its
// operands, phis of the header when the value from the iteration before is. After as many iterations as there
// are phis, the growth per iteration is that of the slowest cycle.

#include "recurrences.hpp"
#include "pipeline/budgets.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopIterator.h>

#include <algorithm>

using namespace llvm;

namespace falx::jit::simd {

double slowest_recurrence(const Loop& loop, LoopInfo& loops, const recurrence_query& query) {
  const BasicBlock* latch = loop.getLoopLatch();
  if (latch == nullptr)
    return 0;
  SmallVector<std::pair<const Instruction*, double>, 32> order;
  LoopBlocksRPO blocks(const_cast<Loop*>(&loop));
  blocks.perform(&loops);
  for (const BasicBlock* block : blocks)
    if (loops.getLoopFor(block) == &loop)
      for (const Instruction& each : *block)
        if (const std::optional<double> latency = query.latency(each))
          order.emplace_back(&each, *latency);
  SmallVector<BasicBlock*, 4> ends;
  if (query.waits_for_lanes)
    loop.getExitingBlocks(ends);
  DenseMap<const Value*, double> ready;
  const auto play = [&] {
    DenseMap<const Value*, double> next;
    double left = 0;
    for (const BasicBlock* end : ends)
      if (const auto* branch = dyn_cast<BranchInst>(end->getTerminator());
          branch != nullptr && branch->isConditional())
        left = std::max(left, ready.lookup(branch->getCondition()));
    double last = left;
    for (const PHINode& phi : loop.getHeader()->phis()) {
      next[&phi] = ready.lookup(phi.getIncomingValueForBlock(latch));
      if (query.is_waited_for(phi))
        last = std::max(last, next[&phi]);
    }
    ready = std::move(next);
    for (const auto& [each, latency] : order) {
      const auto* phi = dyn_cast<PHINode>(each);
      if (phi != nullptr && phi->getParent() == loop.getHeader())
        continue;
      double start = query.waits_for_lanes && query.waits_for_lanes(*each) ? left : 0;
      for (const Use& operand : each->operands())
        start = std::max(start, ready.lookup(operand));
      if (phi != nullptr)
        for (const BasicBlock* from : phi->blocks())
          if (const auto* branch = dyn_cast<BranchInst>(from->getTerminator());
              branch != nullptr && branch->isConditional() && query.is_chosen_after(*from))
            start = std::max(start, ready.lookup(branch->getCondition()));
      ready[each] = start + latency;
    }
    return last;
  };
  const auto phis = unsigned(range_size(loop.getHeader()->phis()));
  const unsigned rounds = std::min(phis, MOST_PLAYED_PHIS);
  for (unsigned round = 0; round < rounds; ++round)
    play();
  const double before = play();
  for (unsigned round = 0; round < rounds; ++round)
    play();
  return rounds == 0 ? 0 : (play() - before) / (rounds + 1);
}

} // namespace falx::jit::simd
