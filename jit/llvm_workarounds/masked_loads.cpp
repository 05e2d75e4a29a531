// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, of a work-group of 19:
//   %mask = and <32 x i1> <i1 true, … 18 more, i1 false, … 12 more>, %chosen
//   %values = call <32 x i32> @llvm.masked.load.v32i32.p0(ptr align 4 %at, <32 x i1> %mask, <32 x i32>
//   %other)
// After:
//   %mask.0 = shufflevector <32 x i1> %mask, <32 x i1> poison, <0, … 7>
//   %values.0 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %at, <8 x i1> %mask.0, <8 x i32>
//   %other.0) … lanes 8 to 15 and 16 to 23 likewise; lanes 24 to 31 are those of %other
//
// That is what LLVM 22 does when it makes machine code, but there it takes a part of a mask of 32 lanes that
// is known to be false for one that is known to be true if another part of the same half is not, and reads
// all of what the mask leaves out: memory that need not exist. It does so for four-byte elements only;
// stores, gathers, blends and other numbers of lanes were found to be right (all lengths, kinds of comparison
// and element sizes up to eight bytes, on Sandy Bridge and Haswell). A load less is worth it for all of them.

#include "pipeline/replacements.hpp"
#include "workarounds.hpp"

#include <llvm/ADT/BitVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

constexpr unsigned REGISTER_BITS = 256;

/// Lanes in which \p constant is \p value.
static BitVector lanes_of(const Constant& constant, bool value) {
  BitVector lanes(cast<FixedVectorType>(constant.getType())->getNumElements());
  for (unsigned lane = 0; lane < lanes.size(); ++lane)
    if (const auto* element = dyn_cast_or_null<ConstantInt>(constant.getAggregateElement(lane)))
      lanes[lane] = element->isOne() == value;
  return lanes;
}

/// Lanes in which \p mask is false whatever happens.
static BitVector lanes_left_out(const Value& mask, unsigned depth = 6) {
  if (const auto* constant = dyn_cast<Constant>(&mask))
    return lanes_of(*constant, false);
  BitVector lanes(cast<FixedVectorType>(mask.getType())->getNumElements());
  const auto* step = dyn_cast<Instruction>(&mask);
  if (step == nullptr || depth == 0)
    return lanes;
  const auto of_operand = [&](unsigned index) { return lanes_left_out(*step->getOperand(index), depth - 1); };
  if (const auto* shuffle = dyn_cast<ShuffleVectorInst>(step)) {
    const BitVector left = of_operand(0), right = of_operand(1);
    for (const auto& [lane, from] : enumerate(shuffle->getShuffleMask()))
      if (from >= 0)
        lanes[unsigned(lane)] =
            unsigned(from) < left.size() ? left[unsigned(from)] : right[unsigned(from) - left.size()];
    return lanes;
  }
  if (step->getOpcode() == Instruction::And)
    return of_operand(0) |= of_operand(1);
  if (step->getOpcode() == Instruction::Or)
    return of_operand(0) &= of_operand(1);
  if (isa<SelectInst>(step) && step->getOperand(0)->getType()->isVectorTy()) {
    BitVector left_out = of_operand(1), not_chosen = of_operand(0), otherwise = of_operand(2);
    if (const auto* constant = dyn_cast<Constant>(step->getOperand(0)))
      otherwise |= lanes_of(*constant, true);
    left_out |= not_chosen;
    return left_out &= otherwise;
  }
  return lanes;
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
  const BitVector left_out = lanes_left_out(*mask);
  const auto is_left_out = [&](unsigned first) {
    return left_out.find_first_unset_in(first, first + at_once) == -1;
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
