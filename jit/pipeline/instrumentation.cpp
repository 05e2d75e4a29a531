// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LoopLoadElimination hands on what one iteration of an innermost loop stores to the next one's load. It
// compares the address of each access with that of every other one: of a vector function whose lanes store
// one by one, 300 stores took 400 ms of 500. In a loop that large a load more does not matter.
//
// SimpleLoopUnswitch makes a version of a loop for each direction that a branch takes in all iterations.
// Beside a vector such a branch takes no time, and the versions may be many: a function with ten such
// directions took twice as long to compile.
//
// tests/jit/llvm_workarounds/faults/compared-accesses.test and unswitched-vector-loops.ll show both, and fail
// once LLVM no longer does so.

#include "instrumentation.hpp"
#include "budgets.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Scalar/LoopLoadElimination.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace falx::jit {

static unsigned count_accesses(const BasicBlock& block) {
  return unsigned(
      count_if(block, [](const Instruction& instruction) { return instruction.mayReadOrWriteMemory(); }));
}

/// Does some innermost loop have more accesses than are to be compared with each other?
static bool has_too_many_accesses(const Function& function) {
  unsigned all = 0;
  for (const BasicBlock& block : function)
    all += count_accesses(block);
  if (all <= MOST_COMPARED_ACCESSES)
    return false;
  const DominatorTree dominators(const_cast<Function&>(function));
  const LoopInfo loops(dominators);
  return any_of(loops.getLoopsInPreorder(), [](const Loop* loop) {
    unsigned accesses = 0;
    for (const BasicBlock* block : loop->blocks())
      accesses += count_accesses(*block);
    return loop->isInnermost() && accesses > MOST_COMPARED_ACCESSES;
  });
}

static bool is_around_vectors(const Loop& loop) {
  return getBooleanLoopAttribute(&loop, "llvm.loop.isvectorized");
}

void instrument(PassInstrumentationCallbacks& callbacks, const pass_failures& failures, StringRef skipped) {
  SmallVector<StringRef> names;
  skipped.split(names, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  callbacks.registerShouldRunOptionalPassCallback([&, names](StringRef pass, Any unit) {
    if (failures.has_failed() || is_contained(names, callbacks.getPassNameForClassName(pass)))
      return false;
    if (const auto* const* loop = any_cast<const Loop*>(&unit))
      return pass != SimpleLoopUnswitchPass::name() || !is_around_vectors(**loop);
    const auto* const* function = any_cast<const Function*>(&unit);
    return function == nullptr || pass != LoopLoadEliminationPass::name() ||
           !has_too_many_accesses(**function);
  });
}

} // namespace falx::jit
