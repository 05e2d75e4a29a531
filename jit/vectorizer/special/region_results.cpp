// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   define internal { i32, i32 } @kernel.region.1(…, i32 %n) {
//     store float %x, ptr %place                       ; whatever the work-item does
//     br label %on
//   on:
//     %n.next = add i32 %n, 1                          ; where all go next, and what they take along
//     %again = icmp ult i32 %n.next, 8
//     …
//     ret { i32, i32 } %result
// After:
//   define internal { i32, i32 } @kernel.region.1(…, i32 %n) {
//     store float %x, ptr %place
//     ret { i32, i32 } poison
//   define internal { i32, i32 } @kernel.region.1.results(…, i32 %n) {
//     %n.next = add i32 %n, 1
//     …
//     ret { i32, i32 } %result
//
// So loops between barriers are counted once per group rather than once per vector of work-items.

#include "region_results.hpp"
#include "frontend/kernel_attributes.hpp"
#include "pipeline/nested_passes.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <cassert>

using namespace llvm;

namespace falx::jit {

/// It gives the same wherever and however often it runs.
static bool is_pure(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return load->isSimple() && load->hasMetadata(LLVMContext::MD_invariant_load);
  if (isa<CallInst>(instruction))
    return isa<IntrinsicInst>(instruction) && !instruction.mayReadOrWriteMemory() &&
           !cast<CallInst>(instruction).isConvergent();
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, PHINode, BranchInst, SwitchInst,
             ReturnInst, InsertValueInst, ExtractValueInst, GetElementPtrInst, FreezeInst>(instruction);
}

static bool is_for_group(const Function& results) {
  for (const Argument& each : results.args())
    if (each.getArgNo() < PARAMETER_COUNT && is_per_work_item(parameter(each.getArgNo())) &&
        !each.use_empty())
      return false;
  return all_of(instructions(results), is_pure);
}

/// A copy of \p region without what has an effect and what is not needed then.
static Function* copy_without_effects(Function& region, FunctionAnalysisManager& analyses) {
  ValueToValueMapTy map;
  Function* copy = CloneFunction(&region, map);
  copy->setName(region.getName() + ".results");
  SmallVector<Instruction*> effects;
  for (Instruction& instruction : instructions(*copy))
    if (instruction.getType()->isVoidTy() && !instruction.isTerminator())
      effects.push_back(&instruction);
  for (Instruction* effect : effects)
    effect->eraseFromParent();
  for (BasicBlock& block : *copy)
    for (Instruction& instruction : make_early_inc_range(reverse(block)))
      if (isInstructionTriviallyDead(&instruction))
        instruction.eraseFromParent();
  // Ways that differ only in effects, and loops.
  if (is_for_group(*copy))
    return copy;
  FunctionPassManager passes;
  passes.addPass(ADCEPass());
  passes.addPass(SimplifyCFGPass());
  run_nested(std::move(passes), *copy, analyses);
  return copy;
}

/// Blocks from which on something has an effect.
static SmallPtrSet<const BasicBlock*, 16> blocks_with_effects(const Function& region) {
  SmallPtrSet<const BasicBlock*, 16> found;
  SmallVector<const BasicBlock*> stack;
  for (const BasicBlock& block : region)
    if (any_of(block, [](const Instruction& each) { return each.mayHaveSideEffects(); }))
      stack.push_back(&block);
  while (!stack.empty()) {
    const BasicBlock* block = stack.pop_back_val();
    if (found.insert(block).second)
      append_range(stack, predecessors(block));
  }
  return found;
}

/// Returns as soon as nothing with an effect can follow.
static void drop_results(Function& region) {
  const SmallPtrSet<const BasicBlock*, 16> with_effects = blocks_with_effects(region);
  Constant* nothing = PoisonValue::get(region.getReturnType());
  BasicBlock* end = BasicBlock::Create(region.getContext(), "end", &region);
  ReturnInst::Create(region.getContext(), nothing, end);
  for (BasicBlock& block : region) {
    if (&block == end)
      continue;
    Instruction* terminator = block.getTerminator();
    if (isa<ReturnInst>(terminator))
      terminator->setOperand(0, nothing);
    for (unsigned index = 0; index < terminator->getNumSuccessors(); ++index) {
      BasicBlock* next = terminator->getSuccessor(index);
      if (with_effects.contains(next) || next == end)
        continue;
      next->removePredecessor(&block, /*KeepOneInputPHIs=*/true);
      terminator->setSuccessor(index, end);
    }
  }
  removeUnreachableBlocks(region);
}

Function* separate_results(Function& region, FunctionAnalysisManager& analyses) {
  Function* results = copy_without_effects(region, analyses);
  if (!is_for_group(*results)) {
    results->eraseFromParent();
    return nullptr;
  }
  drop_results(region);
  assert(results->getFunctionType() == region.getFunctionType() &&
         "both are called with what a region needs");
  assert(none_of(instructions(*results), [](const Instruction& each) { return each.mayHaveSideEffects(); }) &&
         "what the group runs once would have effects for a work-item");
  return results;
}

} // namespace falx::jit
