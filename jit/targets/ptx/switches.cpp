// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, in PTX:                                  After:
//   brx.idx %case, {$L0, $L1, $L2, ..., $L12};       setp.gt.s32 %p, %case, 5;
//                                                    @%p bra $L_6_to_12;
//                                                    setp.eq.s32 %p, %case, 0;
//                                                    @%p bra $L0; ...
//
// Work-items of a warp that a table has sent to different cases meet again where all ways from the table do.
// If one case returns, that is the end of the kernel, and what the others have in common behind the switch
// runs once per case. The assembler finds nearer places for branches of two ways, and makes small tables of
// comparisons that stand side by side. NVCC has no tables either.
//
// Without tables, numbers need not be dense:
//
//   %count = call i32 @llvm.ctpop.i32(i32 %bit)
//   %is_one = icmp eq i32 %count, 1
//   br i1 %is_one, label %choice, label %other
// choice:                                          choice:
//   %number = call i32 @llvm.cttz.i32(i32 %bit, …)
//   switch i32 %number, label %other [               switch i32 %bit, label %other [
//     i32 0, label %zero                               i32 1, label %zero
//     i32 5, label %five                               i32 32, label %five
//   ]                                                ]
//
// LLVM writes the one for the other to get a table. Bits are counted at a quarter of the speed of
// comparisons, twice here, one after the other.

#include "passes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace PatternMatch;

namespace falx::jit {
namespace {

/// The branch that leads to \p choice if one bit of \p bit is set, or null.
BranchInst* test_for_one_bit(SwitchInst& choice, Value* bit) {
  BasicBlock* before = choice.getParent()->getSinglePredecessor();
  auto* branch = before != nullptr ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  if (branch == nullptr || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return nullptr;
  const auto expected = branch->getSuccessor(0) == choice.getParent() ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE;
  const auto count = m_Intrinsic<Intrinsic::ctpop>(m_Specific(bit));
  return match(branch->getCondition(), m_SpecificICmp(expected, count, m_One())) ? branch : nullptr;
}

/// Do both blocks go to the switch's default, and arrive there with the same values?
bool arrive_alike(const SwitchInst& choice, const BranchInst& test) {
  BasicBlock* other = choice.getDefaultDest();
  return is_contained(test.successors(), other) && all_of(other->phis(), [&](const PHINode& phi) {
           return phi.getIncomingValueForBlock(choice.getParent()) ==
                  phi.getIncomingValueForBlock(test.getParent());
         });
}

void choose_by_bit(SwitchInst& choice) {
  Value* const number = choice.getCondition();
  Value* bit = nullptr;
  if (!match(number, m_Intrinsic<Intrinsic::cttz>(m_Value(bit), m_Value())))
    return;
  BranchInst* const test = test_for_one_bit(choice, bit);
  const unsigned bits = bit->getType()->getIntegerBitWidth();
  if (test == nullptr ||
      any_of(choice.cases(), [&](const auto& each) { return each.getCaseValue()->getValue().uge(bits); }))
    return;
  for (auto each : choice.cases()) {
    const unsigned at = static_cast<unsigned>(each.getCaseValue()->getZExtValue());
    each.setValue(ConstantInt::get(choice.getContext(), APInt::getOneBitSet(bits, at)));
  }
  choice.setCondition(bit);
  RecursivelyDeleteTriviallyDeadInstructions(number);
  if (!arrive_alike(choice, *test))
    return;
  Value* const has_one_bit = test->getCondition();
  choice.getDefaultDest()->removePredecessor(test->getParent());
  BranchInst::Create(choice.getParent(), test->getIterator());
  test->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(has_one_bit);
}

} // namespace

PreservedAnalyses compare_cases::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<SwitchInst*> switches;
  for (BasicBlock& block : function)
    if (auto* choice = dyn_cast<SwitchInst>(block.getTerminator()))
      switches.push_back(choice);
  if (switches.empty())
    return PreservedAnalyses::all();
  function.addFnAttr("no-jump-tables", "true");
  for (SwitchInst* choice : switches)
    choose_by_bit(*choice);
  return PreservedAnalyses::none();
}

} // namespace falx::jit
