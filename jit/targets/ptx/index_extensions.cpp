// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                  After:
//   %a = zext nneg i32 %i to i64             %a = zext nneg i32 %i to i64
//   %p = getelementptr float, ptr %x, i64 %a %p = getelementptr float, ptr %x, i64 %a
//   %b = sext i32 %i to i64
//   %q = getelementptr float, ptr %x, i64 %b %q = getelementptr float, ptr %x, i64 %a
//
// LLVM takes constants out of the index of a neighbour, i + 1, and extends the rest by its sign. With both
// extensions the array has two bases in two registers, and the assembler does not see that [%p] and [%q + 4]
// are different places.
//
// Before:                                  After:
//   %high = shl i64 %a, 32                   %n = add i32 %i, -1
//   %sum = add i64 %high, -4294967296        %m = sext i32 %n to i64
//   %byte = ashr i64 %sum, 28                %byte = shl i64 %m, 4
//
// This is what becomes of int i = item.get_global_id(0) and i - 1 while the builtin still has 64 bits.

#include "passes.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

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

PreservedAnalyses unite_index_extensions::run(Function& function, FunctionAnalysisManager& analyses) {
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (instruction.getOpcode() == Instruction::AShr)
      compute_in_half(cast<BinaryOperator>(instruction));
  const auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  DenseMap<std::pair<Value*, Type*>, SmallVector<CastInst*, 2>> extensions;
  for (Instruction& instruction : instructions(function))
    if (isa<SExtInst>(instruction) || (isa<ZExtInst>(instruction) && instruction.hasNonNeg()))
      extensions[{instruction.getOperand(0), instruction.getType()}].push_back(cast<CastInst>(&instruction));
  for (auto& [operand, alike] : extensions)
    for (CastInst*& extension : alike) {
      const auto* same = find_if(alike, [&](const CastInst* other) {
        return other != nullptr && other != extension && dominators.dominates(other, extension);
      });
      if (same == alike.end())
        continue;
      extension->replaceAllUsesWith(*same);
      std::exchange(extension, nullptr)->eraseFromParent();
    }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
