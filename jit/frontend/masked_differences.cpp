// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                    After:
//   %double = shl nuw i32 %x, 1                %others = xor i32 %m, -1
//   %low = and i32 %x, %m                      %high = and i32 %x, %others
//   %at = sub i32 %double, %low                %at = add nuw i32 %x, %high
//
// 2 * x - (x & m) is x + (x - (x & m)), and the difference is what m leaves of x: never more than x. So the
// sum is as small as the double that it comes from, which ranges and known bits tell of a sum, but not of a
// difference. The double need not be a shift: x * 2 and x + x are the same.
//
// It has to come before m is a constant, as then other folds take the difference apart: without it bitonic
// sort (bench/cpu) takes 15.4 ms instead of 1.7, with gathers at all distances.

#include "passes.hpp"
#include "pipeline/replacements.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace falx::jit {

/// The sum that is the same as \p difference, or null.
static Value* sum_of(BinaryOperator& difference) {
  Value *twice = difference.getOperand(0), *x = nullptr, *mask = nullptr;
  if (!match(difference.getOperand(1), m_And(m_Value(x), m_Value(mask))))
    return nullptr;
  const auto is_twice = [&](Value* single) {
    return match(twice, m_Shl(m_Specific(single), m_One())) ||
           match(twice, m_c_Mul(m_Specific(single), m_SpecificInt(2))) ||
           match(twice, m_Add(m_Specific(single), m_Deferred(single)));
  };
  if (!is_twice(x))
    std::swap(x, mask);
  if (!is_twice(x))
    return nullptr;
  IRBuilder<> builder(&difference);
  const auto* product = cast<OverflowingBinaryOperator>(twice);
  const bool is_small = product->hasNoUnsignedWrap();
  // Where the double is negative, x without some of its bits may be less than x.
  return builder.CreateAdd(x, builder.CreateAnd(x, builder.CreateNot(mask)), difference.getName(), is_small,
                           is_small && product->hasNoSignedWrap());
}

PreservedAnalyses masked_differences::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<BinaryOperator*> differences;
  for (Instruction& instruction : instructions(function))
    if (instruction.getOpcode() == Instruction::Sub)
      differences.push_back(cast<BinaryOperator>(&instruction));
  bool has_changed = false;
  for (BinaryOperator* difference : differences)
    if (Value* sum = sum_of(*difference)) {
      difference->replaceAllUsesWith(sum);
      RecursivelyDeleteTriviallyDeadInstructions(difference);
      has_changed = true;
    }
  return preserved_by_replacements(has_changed);
}

} // namespace falx::jit
