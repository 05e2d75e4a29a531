// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, of a work-group of 19:
//   %mask = and <32 x i1> <i1 true, … 18 more, i1 false, … 12 more>, %chosen
//   %values = call <32 x i32> @llvm.masked.load(ptr align 4 %at, <32 x i1> %mask, <32 x i32> %other)
// After:
//   %mask.0 = shufflevector <32 x i1> %mask, <32 x i1> poison, <0, … 7>
//   %values.0 = call <8 x i32> @llvm.masked.load(ptr align 4 %at, <8 x i1> %mask.0, <8 x i32> %other.0)
//   … lanes 8 to 15 and 16 to 23 likewise; lanes 24 to 31 are those of %other
//
// That is what LLVM 22 does when it makes machine code, but there it takes a part of a mask of 32 lanes that
// is known to be false for one that is known to be true if another part of the same half is not, and reads
// all of what the mask leaves out: memory that need not exist. It does so for four-byte elements only;
// stores, gathers, blends and other numbers of lanes were found to be right (all lengths, kinds of comparison
// and element sizes up to eight bytes, on Sandy Bridge and Haswell). A load less is worth it for all of them.

#include "pipeline/replacements.hpp"
#include "workarounds.hpp"

#include <llvm/ADT/Sequence.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace falx::jit {

constexpr unsigned REGISTER_BITS = 256;

/// \p mask is false in \p lane whatever happens.
static bool leaves_out(const Value& mask, int lane, unsigned depth = 6) {
  if (const auto* constant = dyn_cast<Constant>(&mask))
    return match(constant->getAggregateElement(unsigned(lane)), m_Zero());
  if (depth == 0)
    return false;
  const auto is_out = [&](const Value* operand) { return leaves_out(*operand, lane, depth - 1); };
  const Value *left = nullptr, *right = nullptr, *choice = nullptr;
  if (const auto* shuffle = dyn_cast<ShuffleVectorInst>(&mask)) {
    const int from = shuffle->getMaskValue(unsigned(lane));
    const auto lanes = int(cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
    return from >= 0 && leaves_out(*shuffle->getOperand(from < lanes ? 0 : 1), from % lanes, depth - 1);
  }
  if (match(&mask, m_LogicalAnd(m_Value(left), m_Value(right))))
    return is_out(left) || is_out(right);
  if (match(&mask, m_LogicalOr(m_Value(left), m_Value(right))))
    return is_out(left) && is_out(right);
  if (!match(&mask, m_Select(m_Value(choice), m_Value(left), m_Value(right))) ||
      !choice->getType()->isVectorTy())
    return false;
  const auto* constant = dyn_cast<Constant>(choice);
  const bool is_chosen = constant != nullptr && match(constant->getAggregateElement(unsigned(lane)), m_One());
  return (is_out(left) || is_out(choice)) && (is_out(right) || is_chosen);
}

/// Null if every register has a lane that may be loaded.
static Value* by_registers(IntrinsicInst& load) {
  Value *address = load.getArgOperand(0), *mask = load.getArgOperand(1), *otherwise = load.getArgOperand(2);
  auto* type = cast<FixedVectorType>(load.getType());
  const unsigned lanes = type->getNumElements();
  const unsigned bits = unsigned(load.getDataLayout().getTypeSizeInBits(type->getElementType()));
  const unsigned at_once = REGISTER_BITS / bits;
  if (bits % 8 != 0 || REGISTER_BITS % bits != 0 || lanes <= at_once || lanes % at_once != 0)
    return nullptr;
  const auto is_left_out = [&](unsigned first) {
    return all_of(seq(first, first + at_once), [&](unsigned lane) { return leaves_out(*mask, int(lane)); });
  };
  bool is_any_left_out = false;
  for (unsigned first = 0; first < lanes; first += at_once)
    is_any_left_out |= is_left_out(first);
  if (!is_any_left_out)
    return nullptr;
  IRBuilder<> builder(&load);
  const Align alignment = load.getParamAlign(0).valueOrOne();
  SmallVector<Value*, 8> parts;
  for (unsigned first = 0; first < lanes; first += at_once) {
    const SmallVector<int, 16> part = createSequentialMask(first, at_once, /*NumUndefs=*/0);
    parts.push_back(builder.CreateShuffleVector(otherwise, part));
    if (is_left_out(first))
      continue;
    const std::uint64_t offset = std::uint64_t(first) * bits / 8;
    Value* at = builder.CreatePtrAdd(address, builder.getInt64(offset));
    CallInst* loaded = builder.CreateMaskedLoad(FixedVectorType::get(type->getElementType(), at_once), at,
                                                commonAlignment(alignment, offset),
                                                builder.CreateShuffleVector(mask, part), parts.back());
    loaded->copyMetadata(load);
    parts.back() = loaded;
  }
  return concatenateVectors(builder, parts);
}

PreservedAnalyses leave_out_registers_of_masked_loads::run(Function& function, FunctionAnalysisManager&) {
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (auto* load = dyn_cast<IntrinsicInst>(&instruction);
        load != nullptr && load->getIntrinsicID() == Intrinsic::masked_load)
      if (Value* value = by_registers(*load))
        replace_instruction(*load, value);
  return PreservedAnalyses::none();
}

} // namespace falx::jit
