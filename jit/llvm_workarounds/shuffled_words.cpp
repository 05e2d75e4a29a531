// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A word of two halves, such as a complex number, that lanes exchange. Before:
//   %low = zext <16 x i32> %x to <16 x i64>
//   %high = shl <16 x i64> (zext <16 x i32> %y), splat (i64 32)
//   %word = or disjoint <16 x i64> %low, %high
//   %other = shufflevector <16 x i64> %word, <16 x i64> %none, <mask>
//   %other.x = trunc <16 x i64> %other to <16 x i32>
//   %other.y = trunc <16 x i64> (lshr <16 x i64> %other, splat (i64 32)) to <16 x i32>
// After:
//   %other.x = shufflevector <16 x i32> %x, <16 x i32> (trunc %none), <mask>
//   %other.y = shufflevector <16 x i32> %y, <16 x i32> (trunc (lshr %none, splat (i64 32))), <mask>
//
// For AVX-512 LLVM 22 makes of the first form, where few of the results are used, an extension within
// registers of 256 bits that it cannot select ("Cannot select: v4i64 = zero_extend_vector_inreg").
// InstCombine narrows shuffles that have one use. The second form is as many shuffles of registers, and
// nothing else.

#include "pipeline/replacements.hpp"
#include "workarounds.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace falx::jit {

/// Operations through which a half is followed.
constexpr unsigned MOST_STEPS = 12;

namespace {

/// Finds halves of words that are known by themselves.
class word_halves {
public:
  explicit word_halves(LLVMContext& context) : builder_(context) {}
  /// Null if \p word would have to be taken apart.
  Value* half_of(Value* word, bool is_high, unsigned steps = 0);

private:
  Value* find(Value* word, bool is_high, unsigned steps);

  IRBuilder<> builder_;
  DenseMap<std::pair<Value*, unsigned>, Value*> known_;
};

} // namespace

static FixedVectorType* half_type(const Value& word) {
  auto* type = cast<FixedVectorType>(word.getType());
  return FixedVectorType::get(IntegerType::get(type->getContext(), type->getScalarSizeInBits() / 2),
                              type->getNumElements());
}

Value* word_halves::half_of(Value* word, bool is_high, unsigned steps) {
  const auto [found, is_new] = known_.try_emplace({word, unsigned(is_high)}, nullptr);
  if (!is_new)
    return found->second;
  Value* half = find(word, is_high, steps);
  known_[{word, unsigned(is_high)}] = half;
  return half;
}

Value* word_halves::find(Value* word, bool is_high, unsigned steps) {
  FixedVectorType* type = half_type(*word);
  const unsigned bits = type->getScalarSizeInBits();
  Value *left = nullptr, *right = nullptr;
  if (isa<Constant>(word))
    return builder_.CreateTrunc(is_high ? builder_.CreateLShr(word, bits) : word, type);
  if (match(word, m_ZExt(m_Value(left))) && left->getType() == type)
    return is_high ? Constant::getNullValue(type) : left;
  if (steps == MOST_STEPS)
    return nullptr;
  if (match(word, m_Shl(m_Value(left), m_SpecificInt(bits))))
    return is_high ? half_of(left, false, steps + 1) : Constant::getNullValue(type);
  if (match(word, m_LShr(m_Value(left), m_SpecificInt(bits))))
    return is_high ? Constant::getNullValue(type) : half_of(left, true, steps + 1);
  if (match(word, m_Or(m_Value(left), m_Value(right)))) {
    Value *a = half_of(left, is_high, steps + 1), *b = half_of(right, is_high, steps + 1);
    if (a == nullptr || b == nullptr)
      return nullptr;
    if (match(a, m_Zero()) || match(b, m_Zero()))
      return match(a, m_Zero()) ? b : a;
    builder_.SetInsertPoint(cast<Instruction>(word));
    return builder_.CreateOr(a, b);
  }
  if (auto* shuffle = dyn_cast<ShuffleVectorInst>(word);
      shuffle != nullptr && isa<FixedVectorType>(shuffle->getOperand(0)->getType())) {
    Value* a = half_of(shuffle->getOperand(0), is_high, steps + 1);
    Value* b = half_of(shuffle->getOperand(1), is_high, steps + 1);
    if (a == nullptr || b == nullptr)
      return nullptr;
    builder_.SetInsertPoint(shuffle);
    return builder_.CreateShuffleVector(a, b, shuffle->getShuffleMask());
  }
  return nullptr;
}

PreservedAnalyses shuffle_halves_of_words::run(Function& function, FunctionAnalysisManager&) {
  word_halves halves(function.getContext());
  SmallVector<WeakTrackingVH, 8> dead;
  for (Instruction& instruction : instructions(function)) {
    Value* word = nullptr;
    if (!isa<FixedVectorType>(instruction.getType()) || !match(&instruction, m_Trunc(m_Value(word))) ||
        half_type(*word) != instruction.getType())
      continue;
    const bool is_high =
        match(word, m_LShr(m_Value(), m_SpecificInt(instruction.getType()->getScalarSizeInBits())));
    if (!isa<ShuffleVectorInst>(is_high ? cast<Instruction>(word)->getOperand(0) : word))
      continue;
    if (Value* half = halves.half_of(word, false)) {
      instruction.replaceAllUsesWith(half);
      dead.push_back(&instruction);
    }
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  return preserved_by_replacements(!dead.empty());
}

} // namespace falx::jit
