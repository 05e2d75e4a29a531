// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   %next = shufflevector <8 x i1> %mask, <8 x i1> zeroinitializer, <8 x i32> <i32 1, …, i32 7, i32 8>
// After:
//   %some = shufflevector <8 x i1> %mask, <8 x i1> poison, <8 x i32> <i32 1, …, i32 7, i32 7>
//   %next = and <8 x i1> %some, <i1 true, …, i1 true, i1 false>
//
// For AVX-512 LLVM 22 makes it a shift of a mask register of 16 bits. If the mask comes from a comparison of
// 8 bytes, which is done with 16, the bit that is shifted in is not zero but whatever that gave. So it is if
// 8 lanes are taken from a mask of more, whose other lanes are in the register: lanes 7, zero, zero, … of 16
// come out as lanes 7, 8, 9, … Masks of 4 lanes are kept clear of it as well: a kernel lost
// lanes of masked loads until they were (mask-shifts.ll), which is not reduced to one shuffle.

#include "pipeline/replacements.hpp"
#include "workarounds.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <optional>

using namespace llvm;

namespace falx::jit {

/// The number of the operand of which \p shuffle takes zeros and nothing else; what it does not take may be
/// poison.
static std::optional<unsigned> operand_of_zeros(const ShuffleVectorInst& shuffle) {
  const int lanes = int(cast<FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements());
  for (unsigned operand : {0u, 1u}) {
    const auto* constant = dyn_cast<Constant>(shuffle.getOperand(operand));
    if (constant == nullptr)
      continue;
    bool takes_any = false, takes_zeros = true;
    for (int source : shuffle.getShuffleMask()) {
      if (source < 0 || unsigned(source / lanes) != operand)
        continue;
      const Constant* element = constant->getAggregateElement(unsigned(source % lanes));
      takes_any = true;
      takes_zeros &= element != nullptr && element->isNullValue();
    }
    if (takes_any && takes_zeros)
      return operand;
  }
  return std::nullopt;
}

static void take_zeros_out(ShuffleVectorInst& shuffle, unsigned zeros) {
  const int lanes = int(cast<FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements());
  IRBuilder<> builder(&shuffle);
  SmallVector<int, 8> from;
  SmallVector<Constant*, 8> is_kept;
  for (const auto& [lane, source] : enumerate(shuffle.getShuffleMask())) {
    const bool kept = source < 0 || unsigned(source / lanes) != zeros;
    from.push_back(!kept ? int(lane) : source < 0 ? source : source % lanes);
    is_kept.push_back(builder.getInt1(kept));
  }
  Value* some = builder.CreateShuffleVector(shuffle.getOperand(1 - zeros), from);
  replace_instruction(shuffle, builder.CreateAnd(some, ConstantVector::get(is_kept)));
}

/// Of 8 lanes or fewer, or of some of a wider mask.
static bool may_be_shift(const ShuffleVectorInst& shuffle) {
  constexpr unsigned SHORT_MASK = 8;
  const auto* result = dyn_cast<FixedVectorType>(shuffle.getType());
  if (result == nullptr || !result->getElementType()->isIntegerTy(1))
    return false;
  const unsigned lanes = result->getNumElements();
  const unsigned sources = cast<FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements();
  return lanes < sources || (lanes == sources && lanes <= SHORT_MASK);
}

PreservedAnalyses take_zeros_out_of_mask_shuffles::run(Function& function, FunctionAnalysisManager&) {
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (auto* shuffle = dyn_cast<ShuffleVectorInst>(&instruction);
        shuffle != nullptr && may_be_shift(*shuffle))
      if (const std::optional<unsigned> zeros = operand_of_zeros(*shuffle))
        take_zeros_out(*shuffle, *zeros);
  return PreservedAnalyses::none();
}

} // namespace falx::jit
