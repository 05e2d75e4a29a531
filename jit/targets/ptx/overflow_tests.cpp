// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                 After:
//   %sum = add i64 %x, %y                   %sum = add i64 %x, %y
//   %rest = xor i64 %y, -1                  %over = icmp ult i64 %sum, %x
//   %over = icmp ugt i64 %x, %rest
//
// Programs that compute with numbers of several words ask whether a sum will overflow by what is left above
// one of its parts (`x > UINT64_MAX - y`). Where they have the sum they need not compute what is left: of 64
// bits that is two instructions.

#include "passes.hpp"
#include "pipeline/replacements.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace falx::jit {

/// The sum of both that is there when \p test is computed. Null if there is none.
static BinaryOperator* sum_before(const ICmpInst& test, Value* x, Value* y, const DominatorTree& dominators) {
  for (User* user : x->users())
    if (match(user, m_c_Add(m_Specific(x), m_Specific(y))))
      if (auto* sum = dyn_cast<BinaryOperator>(user); sum != nullptr && dominators.dominates(sum, &test))
        return sum;
  return nullptr;
}

static bool ask_sum(ICmpInst& test, const DominatorTree& dominators) {
  Value *x = nullptr, *y = nullptr;
  const auto rest = m_OneUse(m_Not(m_Value(y)));
  CmpPredicate predicate;
  if (match(&test, m_ICmp(predicate, rest, m_Value(x))))
    predicate = ICmpInst::getSwappedPredicate(predicate);
  else if (!match(&test, m_ICmp(predicate, m_Value(x), rest)))
    return false;
  if (!x->getType()->isIntegerTy() || isa<Constant>(x) ||
      (predicate != ICmpInst::ICMP_UGT && predicate != ICmpInst::ICMP_ULE))
    return false;
  BinaryOperator* sum = sum_before(test, x, y, dominators);
  if (sum == nullptr)
    return false;
  sum->dropPoisonGeneratingFlags(); // it is asked for where it overflows
  auto* before = dyn_cast<Instruction>(test.getOperand(0) == x ? test.getOperand(1) : test.getOperand(0));
  test.setPredicate(predicate == ICmpInst::ICMP_UGT ? ICmpInst::ICMP_ULT : ICmpInst::ICMP_UGE);
  test.setSameSign(false);
  test.setOperand(0, sum);
  test.setOperand(1, x);
  RecursivelyDeleteTriviallyDeadInstructions(before);
  return true;
}

PreservedAnalyses ask_sums_for_overflow::run(Function& function, FunctionAnalysisManager& manager) {
  SmallVector<ICmpInst*> tests; // first, as some of what they ask for goes
  for (Instruction& instruction : instructions(function))
    if (auto* test = dyn_cast<ICmpInst>(&instruction))
      tests.push_back(test);
  if (tests.empty())
    return PreservedAnalyses::all();
  const auto& dominators = manager.getResult<DominatorTreeAnalysis>(function);
  bool has_changed = false;
  for (ICmpInst* test : tests)
    has_changed |= ask_sum(*test, dominators);
  return preserved_by_replacements(has_changed);
}

} // namespace falx::jit
