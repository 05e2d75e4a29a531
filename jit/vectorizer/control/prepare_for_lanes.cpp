// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare_for_lanes.hpp"
#include "pipeline/budgets.hpp"
#include "pipeline/nested_passes.hpp"
#include "vectorizer/emission/user_vectors.hpp"
#include "vectorizer/memory/interleaved_variables.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyLoopExits.h>

using namespace llvm;

namespace falx::jit::simd {

/// Lanes that trap go on to the return as all do; nobody will see them there.
static void end_in_one_return(Function& function) {
  SmallVector<Instruction*> ends;
  for (BasicBlock& block : function)
    if (isa<ReturnInst, UnreachableInst>(block.getTerminator()))
      ends.push_back(block.getTerminator());
  if (ends.size() == 1 && isa<ReturnInst>(ends.front()) && ends.front()->getPrevNode() == nullptr)
    return;
  BasicBlock* exit = BasicBlock::Create(function.getContext(), "exit", &function);
  Type* type = function.getReturnType();
  PHINode* result = type->isVoidTy() ? nullptr : PHINode::Create(type, unsigned(ends.size()), "result", exit);
  for (Instruction* end : ends) {
    if (result != nullptr)
      result->addIncoming(isa<ReturnInst>(end) ? end->getOperand(0) : PoisonValue::get(type),
                          end->getParent());
    BranchInst* jump = BranchInst::Create(exit, end->getIterator());
    jump->setDebugLoc(end->getDebugLoc());
    end->eraseFromParent();
  }
  ReturnInst::Create(function.getContext(), result, exit);
}

/// A loop that lanes enter and never leave, as far as can be seen (often one that none enters), gets a way
/// out that none takes: to the end of the function, so that all blocks have one.
static void end_endless_loops(Function& function) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  const auto end =
      find_if(function, [](const BasicBlock& block) { return isa<ReturnInst>(block.getTerminator()); });
  assert(end != function.end() && "end_in_one_return has made one");
  for (const Loop* loop : loops.getLoopsInPreorder()) {
    BasicBlock* header = loop->getHeader();
    if (!loop->hasNoExitBlocks())
      continue;
    BasicBlock* rest = SplitBlock(header, header->getFirstInsertionPt());
    Instruction* jump = header->getTerminator();
    BranchInst::Create(&*end, rest, ConstantInt::getFalse(function.getContext()), jump->getIterator());
    jump->eraseFromParent();
    for (PHINode& result : end->phis())
      result.addIncoming(PoisonValue::get(result.getType()), header);
  }
}

/// Each back edge gets a block of its own.
static void split_back_edges(Function& function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    BasicBlock* latch = loop->getLoopLatch();
    if (latch != nullptr)
      SplitEdge(latch, loop->getHeader(), &dominators, &loops, nullptr, "next.iteration");
  }
}

static bool has_cycles(const Function& function) {
  SmallVector<std::pair<const BasicBlock*, const BasicBlock*>, 4> back;
  FindFunctionBackedges(function, back);
  return !back.empty();
}

/// Where a block of a cycle branches to two of its entries, LLVM's FixIrreducible only leads one edge through
/// the new header, but takes what phis get from the block away from both (LLVM 22). A block for each edge
/// keeps them apart.
static void separate_entries_of_cycles(Function& function) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  ReversePostOrderTraversal<Function*> order(&function);
  if (containsIrreducibleCFG<BasicBlock*>(order, loops))
    SplitAllCriticalEdges(function);
}

/// The loop ends together with the one around it, on some way.
static bool leaves_two_loops(const Loop& loop, const LoopInfo& loops) {
  SmallVector<BasicBlock*, 4> exits;
  loop.getExitBlocks(exits);
  return any_of(exits,
                [&](const BasicBlock* exit) { return loops.getLoopFor(exit) != loop.getParentLoop(); });
}

static bool leaves_two_loops(Function& function) {
  DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  return any_of(loops.getLoopsInPreorder(), [&](const Loop* loop) { return leaves_two_loops(*loop, loops); });
}

static void bring_into_form(Function& function, FunctionAnalysisManager& analyses) {
  if (!has_cycles(function))
    return;
  separate_entries_of_cycles(function);
  FunctionPassManager cycles;
  cycles.addPass(FixIrreduciblePass());
  run_nested(std::move(cycles), function, analyses);
  end_endless_loops(function);
  unsigned round = 0;
  do {
    FunctionPassManager passes;
    passes.addPass(UnifyLoopExitsPass());
    passes.addPass(LoopSimplifyPass());
    passes.addPass(LCSSAPass());
    run_nested(std::move(passes), function, analyses);
    // LoopSimplify makes two loops of one with several ways back, and the inner one leaves both.
  } while (leaves_two_loops(function) && round++ < LOOP_FORM_ROUNDS);
}

/// Why the function is not in the form that is asked for.
static StringRef check(Function& function) {
  for (const Instruction& instruction : instructions(function)) {
    if (instruction.isTerminator() && !isa<BranchInst, ReturnInst>(instruction))
      return "it has a jump through a pointer";
    if (const auto* variable = dyn_cast<AllocaInst>(&instruction);
        variable != nullptr && !variable->isStaticAlloca())
      return "it has a private variable of variable length";
  }
  if (uses_vectors(function))
    return "it computes with vectors in a way that cannot be taken apart";
  DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  for (const Loop* loop : loops.getLoopsInPreorder()) {
    if (loop->getLoopPreheader() == nullptr || loop->getLoopLatch() == nullptr ||
        !isa<BranchInst>(loop->getLoopLatch()->getTerminator()))
      return "it has a loop that cannot be brought into simple form";
    SmallVector<BasicBlock*, 4> exits;
    loop->getExitBlocks(exits);
    if (exits.empty())
      return "it has a loop that never ends";
    if (leaves_two_loops(*loop, loops))
      return "it has a loop that leaves two loops at once";
  }
  // Every other block must have a way to the end.
  if (count_if(function, [](const BasicBlock& block) { return isa<ReturnInst>(block.getTerminator()); }) != 1)
    return "it never returns";
  return "";
}

/// Before the end has one return: a case that cannot be is none as long as it leads to unreachable, and would
/// be a way out of all loops after that.
static void lower_switches(Function& function, FunctionAnalysisManager& analyses) {
  if (none_of(function, [](const BasicBlock& block) { return isa<SwitchInst>(block.getTerminator()); }))
    return;
  FunctionPassManager passes;
  passes.addPass(LowerSwitchPass());
  run_nested(std::move(passes), function, analyses);
}

StringRef prepare_for_lanes(Function& work_item, unsigned lanes, FunctionAnalysisManager& analyses) {
  lower_switches(work_item, analyses);
  removeUnreachableBlocks(work_item);
  end_in_one_return(work_item);
  take_vectors_apart(work_item, analyses);
  interleave_private_variables(work_item, lanes);
  bring_into_form(work_item, analyses);
  EliminateUnreachableBlocks(work_item); // and no other: calls that never return still jump to the return
  split_back_edges(work_item);
  return check(work_item);
}

} // namespace falx::jit::simd
