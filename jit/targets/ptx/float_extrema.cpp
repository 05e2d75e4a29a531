// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, for which PTX has no instruction, and LLVM makes a loop of compare-and-swaps:
//     %old = atomicrmw fmax ptr %p, float %x monotonic
// After:
//     %bits = bitcast float %x to i32
//     %has.sign = icmp slt i32 %bits, 0
//     br i1 %has.sign, label %negative, label %positive
//   negative:
//     %a = atomicrmw umin ptr %p, i32 %bits monotonic
//   positive:
//     %b = atomicrmw max ptr %p, i32 %bits monotonic
//   both:
//     %first = phi i32 [ %a, %negative ], [ %b, %positive ]
//     %is.stuck = icmp sgt i32 %first, 2139095040               ; a NaN without a sign
//     br i1 %is.stuck, label %again, label %done
//   again:
//     %c = atomicrmw fmax ptr %p, float %x monotonic            ; the loop
//   done:
//     %old = phi float [ bitcast %first, %both ], [ %c, %again ]
//
// The bits of numbers without a sign are ordered as the numbers are, those with a sign the other way about,
// and all of the latter are below the former as signed integers, above as unsigned ones. So a maximum with a
// number without a sign is that of signed integers, with one that has a sign the minimum of unsigned ones; a
// minimum mirrors that. If one operand is NaN, the result is the other: an operand that is, becomes the NaN
// beyond all others, which changes nothing; of what is in memory, a NaN on the far side of all numbers is
// replaced anyway, and one on the near side stays, which the old value tells. Functions that know no NaN
// leave that out, and need not know what was there.

#include "passes.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace falx::jit {

static bool is_float_extremum(const AtomicRMWInst& modify) {
  return (modify.getOperation() == AtomicRMWInst::FMax || modify.getOperation() == AtomicRMWInst::FMin) &&
         (modify.getType()->isFloatTy() || modify.getType()->isDoubleTy());
}

namespace {

class extremum_of_integers {
public:
  explicit extremum_of_integers(AtomicRMWInst& modify)
      : modify_(modify), is_maximum_(modify.getOperation() == AtomicRMWInst::FMax),
        type_(IntegerType::get(modify.getContext(), modify.getType()->getPrimitiveSizeInBits())),
        knows_no_nan_(modify.getFunction()->getFnAttribute("no-nans-fp-math").getValueAsBool()) {}

  void form();

private:
  Value* bits_of_number(IRBuilder<>& builder) const;
  AtomicRMWInst* emit(bool has_sign, Value* bits, Instruction* before) const;
  Value* is_stuck(Value* old, IRBuilder<>& builder) const;

  AtomicRMWInst& modify_;
  bool is_maximum_;
  IntegerType* type_;
  bool knows_no_nan_;
};

/// Of the operand, or of the NaN that changes nothing.
Value* extremum_of_integers::bits_of_number(IRBuilder<>& builder) const {
  Value* const number = modify_.getValOperand();
  Value* const bits = builder.CreateBitCast(number, type_);
  if (knows_no_nan_)
    return bits;
  const unsigned width = type_->getBitWidth();
  const APInt neutral = is_maximum_ ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  return builder.CreateSelect(builder.CreateFCmpUNO(number, number), ConstantInt::get(type_, neutral), bits);
}

AtomicRMWInst* extremum_of_integers::emit(bool has_sign, Value* bits, Instruction* before) const {
  const AtomicRMWInst::BinOp of_signed = is_maximum_ ? AtomicRMWInst::Max : AtomicRMWInst::Min,
                             of_unsigned = is_maximum_ ? AtomicRMWInst::UMin : AtomicRMWInst::UMax;
  IRBuilder<> builder(before);
  AtomicRMWInst* const result =
      builder.CreateAtomicRMW(has_sign ? of_unsigned : of_signed, modify_.getPointerOperand(), bits,
                              modify_.getAlign(), modify_.getOrdering(), modify_.getSyncScopeID());
  result->setVolatile(modify_.isVolatile());
  return result;
}

/// Maxima: a NaN above all numbers as signed integers, which is one below those with a sign as unsigned ones.
/// Minima: one that has a sign.
Value* extremum_of_integers::is_stuck(Value* old, IRBuilder<>& builder) const {
  const APFloat infinity = APFloat::getInf(modify_.getType()->getFltSemantics(), /*Negative=*/!is_maximum_);
  return builder.CreateICmp(is_maximum_ ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT, old,
                            ConstantInt::get(type_, infinity.bitcastToAPInt()));
}

void extremum_of_integers::form() {
  IRBuilder<> builder(&modify_);
  Value* const bits = bits_of_number(builder);
  Value* const has_sign = builder.CreateICmpSLT(bits, ConstantInt::getNullValue(type_));
  Instruction *with_sign = nullptr, *without_sign = nullptr;
  SplitBlockAndInsertIfThenElse(has_sign, modify_.getIterator(), &with_sign, &without_sign);
  AtomicRMWInst* const first[] = {emit(true, bits, with_sign), emit(false, bits, without_sign)};
  if (knows_no_nan_ && modify_.use_empty()) {
    modify_.eraseFromParent();
    return;
  }
  BasicBlock* const both = modify_.getParent();
  builder.SetInsertPoint(both, both->begin());
  PHINode* const found = builder.CreatePHI(type_, 2);
  for (AtomicRMWInst* each : first)
    found->addIncoming(each, each->getParent());
  builder.SetInsertPoint(&modify_);
  Value* old = builder.CreateBitCast(found, modify_.getType());
  if (knows_no_nan_) {
    modify_.replaceAllUsesWith(old);
    modify_.eraseFromParent();
    return;
  }
  Instruction* const end = SplitBlockAndInsertIfThen(is_stuck(found, builder), modify_.getIterator(),
                                                     /*Unreachable=*/false);
  BasicBlock* const done = modify_.getParent();
  builder.SetInsertPoint(done, done->begin());
  PHINode* const result = builder.CreatePHI(modify_.getType(), 2);
  modify_.replaceAllUsesWith(result);
  modify_.moveBefore(end->getIterator());
  result->addIncoming(old, both);
  result->addIncoming(&modify_, end->getParent());
}

} // namespace

PreservedAnalyses form_integer_extrema::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<AtomicRMWInst*, 8> operations;
  for (Instruction& instruction : instructions(function))
    if (auto* modify = dyn_cast<AtomicRMWInst>(&instruction); modify != nullptr && is_float_extremum(*modify))
      operations.push_back(modify);
  for (AtomicRMWInst* modify : operations)
    extremum_of_integers(*modify).form();
  return operations.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace falx::jit
