// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                  After:
//   %a = zext nneg i32 %i to i64             %a = sext i32 %i to i64
//   %p = getelementptr float, ptr %x, i64 %a %p = getelementptr float, ptr %x, i64 %a
//   %b = sext i32 %i to i64
//   %q = getelementptr float, ptr %x, i64 %b %q = getelementptr float, ptr %x, i64 %a
//
// LLVM takes constants out of the index of a neighbour, i + 1, and extends the rest by its sign. With both
// extensions the array has two bases in two registers, and the assembler does not see that [%p] and [%q + 4]
// are different places. Its sign is right wherever %i is extended: the other extension may have been moved
// out of a branch in which %i is not negative.
//
// Before:                                  After:
//   %high = shl i64 %a, 32                   %n = add i32 %i, -1
//   %sum = add i64 %high, -4294967296        %m = sext i32 %n to i64
//   %byte = ashr i64 %sum, 28                %byte = shl i64 %m, 4
//
// This is what becomes of int i = item.get_global_id(0) and i - 1 while the builtin still has 64 bits.
//
// Before, where %i is not 0:               After:
//   %n = add i32 %i, -1                      %a = zext i32 %i to i64
//   %m = zext i32 %n to i64                  %m = add nsw i64 %a, -1
//   %s = add i64 %a, 4294967295
//   %t = and i64 %s, 4294967295              %t = add nsw i64 %a, -1
//
// LLVM says of no addition of a negative number that it does not wrap, and takes no constant out of this
// index: each neighbour would have an address of its own.
//
// Before:                                  After:
//   %a = sext i32 %i to i64                  %a = sext i32 %i to i64
//   %n = add nsw i32 %i, -1                  %m = add nsw i64 %a, -1
//   %m = zext nneg i32 %n to i64
//
// The same where nothing is known of %i but that its neighbour is not negative.

#include "passes.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LazyValueInfo.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <cstdint>
#include <utility>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace falx::jit {

/// Computes in the lower half what has been moved to the upper one.
static void compute_in_half(BinaryOperator& shift) {
  constexpr unsigned HALF = 32;
  Value *wide = nullptr, *sum = shift.getOperand(0);
  const APInt *distance = nullptr, *added = nullptr;
  if (!shift.getType()->isIntegerTy(2 * HALF) || !match(shift.getOperand(1), m_APInt(distance)) ||
      distance->ugt(HALF) ||
      !match(sum, m_OneUse(m_Add(m_Shl(m_Value(wide), m_SpecificInt(HALF)), m_APInt(added)))) ||
      added->countr_zero() < HALF)
    return;
  IRBuilder<> builder(&shift);
  const APInt addend = added->extractBits(HALF, HALF);
  const auto* extension = dyn_cast<ZExtInst>(wide);
  const bool is_positive = extension != nullptr && extension->hasNonNeg();
  Value* narrow = extension != nullptr && extension->getSrcTy()->isIntegerTy(HALF)
                      ? extension->getOperand(0)
                      : builder.CreateTrunc(wide, builder.getIntNTy(HALF));
  narrow = builder.CreateAdd(narrow, builder.getInt(addend), "", /*HasNUW=*/false,
                             /*HasNSW=*/is_positive && addend.isNegative());
  Value* result = builder.CreateSExt(narrow, shift.getType());
  shift.replaceAllUsesWith(builder.CreateShl(result, HALF - distance->getZExtValue()));
  shift.eraseFromParent();
}

/// The number of which a negative constant is taken in 32 bits, to give an index of 64 bits.
struct difference {
  Value* minuend = nullptr; ///< of either size
  unsigned subtrahend = 0;
};

/// None of the sort: no minuend.
static difference extended_difference(Instruction& index) {
  constexpr unsigned HALF = 32;
  Value* minuend = nullptr;
  const APInt *added = nullptr, *mask = nullptr;
  const bool is_extended =
      match(&index, m_ZExt(m_Add(m_Value(minuend), m_APInt(added)))) && added->getBitWidth() == HALF;
  const bool is_masked =
      match(&index, m_And(m_Add(m_Value(minuend), m_APInt(added)), m_APInt(mask))) && mask->isMask(HALF);
  if (!index.getType()->isIntegerTy(2 * HALF) || (!is_extended && !is_masked))
    return {};
  const APInt addend = added->trunc(HALF);
  return addend.isNegative() ? difference{minuend, static_cast<unsigned>((-addend).getZExtValue())}
                             : difference();
}

/// Subtracts in 64 bits where the difference is not below 0.
static void subtract_extended(Instruction& index, LazyValueInfo& values) {
  const auto [minuend, subtrahend] = extended_difference(index);
  if (minuend == nullptr)
    return;
  const ConstantRange range = values.getConstantRange(minuend, &index, /*UndefAllowed=*/false);
  if (range.getUnsignedMin().ult(subtrahend) || range.getUnsignedMax().getActiveBits() > 32)
    return;
  IRBuilder<> builder(&index);
  Value* wide = builder.CreateZExt(minuend, index.getType());
  Value* sum = index.getOperand(0);
  index.replaceAllUsesWith(builder.CreateNSWAdd(wide, builder.getInt64(-std::uint64_t{subtrahend})));
  index.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(sum);
}

/// An extension by zeros of what is not negative?
static bool is_positive(const Instruction& instruction) {
  return isa<ZExtInst>(instruction) && instruction.hasNonNeg();
}

/// Adds to what is extended by its sign and there already, where \p index is a sum that is not negative.
static void add_to_extension(Instruction& index, const DominatorTree& dominators) {
  Value* base = nullptr;
  const APInt* added = nullptr;
  if (!is_positive(index) || !index.getType()->isIntegerTy() ||
      !match(index.getOperand(0), m_NSWAdd(m_Value(base), m_APInt(added))))
    return;
  const auto extended = find_if(base->users(), [&](const User* user) {
    return isa<SExtInst>(user) && user->getType() == index.getType() &&
           dominators.dominates(cast<Instruction>(user), &index);
  });
  if (extended == base->users().end())
    return;
  IRBuilder<> builder(&index);
  index.replaceAllUsesWith(
      builder.CreateNSWAdd(*extended, builder.getInt(added->sext(index.getType()->getIntegerBitWidth()))));
  Value* sum = index.getOperand(0);
  index.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(sum);
}

/// Extends \p extension's operand by its sign, which is the same of what is not negative, in its place.
static CastInst* extend_sign(Instruction& extension) {
  auto* result = new SExtInst(extension.getOperand(0), extension.getType(), "", extension.getIterator());
  result->takeName(&extension);
  extension.replaceAllUsesWith(result);
  extension.eraseFromParent();
  return result;
}

/// Has each number extended once. A number that is extended by its sign may be negative, where an extension
/// by zeros, for what only happens if it is not, comes before, too.
static void unite(Function& function, const DominatorTree& dominators) {
  DenseMap<std::pair<Value*, Type*>, SmallVector<CastInst*, 2>> extensions;
  for (Instruction& instruction : instructions(function))
    if (isa<SExtInst>(instruction) || is_positive(instruction))
      extensions[{instruction.getOperand(0), instruction.getType()}].push_back(cast<CastInst>(&instruction));
  for (auto& [operand, alike] : extensions)
    for (CastInst*& extension : alike) {
      auto* same = find_if(alike, [&](const CastInst* other) {
        return other != nullptr && other != extension && dominators.dominates(other, extension);
      });
      if (same == alike.end())
        continue;
      if (isa<SExtInst>(extension) && !isa<SExtInst>(*same))
        *same = extend_sign(**same);
      extension->replaceAllUsesWith(*same);
      std::exchange(extension, nullptr)->eraseFromParent();
    }
}

PreservedAnalyses unite_index_extensions::run(Function& function, FunctionAnalysisManager& analyses) {
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (instruction.getOpcode() == Instruction::AShr)
      compute_in_half(cast<BinaryOperator>(instruction));
  SmallVector<Instruction*> indices;
  for (Instruction& instruction : instructions(function))
    if (extended_difference(instruction).minuend != nullptr)
      indices.push_back(&instruction);
  for (Instruction* index : indices)
    subtract_extended(*index, analyses.getResult<LazyValueAnalysis>(function));
  const auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    add_to_extension(instruction, dominators);
  unite(function, dominators);
  return PreservedAnalyses::none();
}

} // namespace falx::jit
