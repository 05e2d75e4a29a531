// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All active lanes change one object. Before:
//   %old = atomicrmw add ptr %counter, i32 %x monotonic
// After:
//   %sum = call i32 @llvm.vector.reduce.add(%x in active lanes, else 0)
//   %first = atomicrmw add ptr %counter, i32 %sum monotonic
//   %before = sums of %x over the lanes before each, in log2(lanes) steps          ; if %old is used
//   %old = add <8 x i32> splat (%first), %before
//
// That is what comes of it if the lanes come one directly after the other. Floating-point sums are made in
// that order, too, so nothing is rounded differently:
//   %next = (((%old + %x[0]) + %x[1]) + …)                                         ; in a loop of cmpxchg

#include "vector_atomics.hpp"
#include "vectorizer/analysis/lane_safety.hpp"

#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

using namespace llvm;

namespace falx::jit::simd {

/// Of the lanes' values; not_intrinsic if there is none.
static Intrinsic::ID reduction_of(AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return Intrinsic::vector_reduce_add;
  case AtomicRMWInst::And:
    return Intrinsic::vector_reduce_and;
  case AtomicRMWInst::Or:
    return Intrinsic::vector_reduce_or;
  case AtomicRMWInst::Xor:
    return Intrinsic::vector_reduce_xor;
  case AtomicRMWInst::Max:
    return Intrinsic::vector_reduce_smax;
  case AtomicRMWInst::Min:
    return Intrinsic::vector_reduce_smin;
  case AtomicRMWInst::UMax:
    return Intrinsic::vector_reduce_umax;
  case AtomicRMWInst::UMin:
    return Intrinsic::vector_reduce_umin;
  default:
    return Intrinsic::not_intrinsic;
  }
}

bool is_combined(const AtomicRMWInst& modification, const lane_shapes& shapes) {
  const AtomicRMWInst::BinOp operation = modification.getOperation();
  if (modification.isVolatile() || !shapes[modification.getPointerOperand()].is_uniform() ||
      !has_vector_layout(modification.getType(), modification.getDataLayout()))
    return false;
  if (reduction_of(operation) != Intrinsic::not_intrinsic)
    return true;
  const bool is_sum = operation == AtomicRMWInst::FAdd || operation == AtomicRMWInst::FSub;
  return is_sum && modification.use_empty();
}

/// Lane \p distance before each, and the neutral element where there is none.
static Value* from_before(IRBuilder<>& builder, Value* vector, Value* neutral, unsigned distance) {
  const unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
  SmallVector<int, 64> from;
  for (unsigned lane = 0; lane < lanes; ++lane)
    from.push_back(int(lane < distance ? lanes + lane : lane - distance));
  return builder.CreateShuffleVector(vector, neutral, from);
}

Value* atomic_emission::emit_combined_integers(AtomicRMWInst& modification) {
  const AtomicRMWInst::BinOp operation = modification.getOperation();
  const Intrinsic::ID reduction = reduction_of(operation);
  Value* neutral = values_.splat(getReductionIdentity(reduction, modification.getType(), FastMathFlags()));
  Value* each = builder_.CreateSelect(core_.mask(), values_.vector(modification.getValOperand()), neutral);
  Value* total = builder_.CreateUnaryIntrinsic(reduction, each);
  if (reduction == Intrinsic::vector_reduce_add && shapes_[modification.getValOperand()].is_uniform()) {
    Value* count = builder_.CreateUnaryIntrinsic(Intrinsic::ctpop, core_.bits(core_.mask()));
    total = builder_.CreateMul(values_.scalar(modification.getValOperand()),
                               builder_.CreateZExtOrTrunc(count, modification.getType()));
  }
  Value* first = builder_.CreateAtomicRMW(operation, values_.scalar(modification.getPointerOperand()), total,
                                          modification.getAlign(), modification.getOrdering(),
                                          modification.getSyncScopeID());
  if (modification.use_empty())
    return nullptr;
  // A difference takes off a sum.
  const auto combined = operation == AtomicRMWInst::Sub ? AtomicRMWInst::Add : operation;
  Value* before = each;
  for (unsigned distance = 1; distance < request_.lanes; distance *= 2)
    before =
        buildAtomicRMWValue(combined, builder_, before, from_before(builder_, before, neutral, distance));
  return buildAtomicRMWValue(operation, builder_, values_.splat(first),
                             from_before(builder_, before, neutral, 1));
}

void atomic_emission::emit_combined_sum(AtomicRMWInst& modification) {
  Type* type = modification.getType();
  Value* each = values_.vector(modification.getValOperand());
  if (modification.getOperation() == AtomicRMWInst::FSub)
    each = builder_.CreateFNeg(each);
  each = builder_.CreateSelect(core_.mask(), each, values_.splat(ConstantFP::getNegativeZero(type)));
  Value* place = values_.scalar(modification.getPointerOperand());
  Type* word = builder_.getIntNTy(type->getScalarSizeInBits());
  LoadInst* seen = builder_.CreateAlignedLoad(word, place, modification.getAlign());
  seen->setAtomic(AtomicOrdering::Monotonic, modification.getSyncScopeID());
  BasicBlock* before = builder_.GetInsertBlock();
  BasicBlock* attempt = core_.block("attempt");
  BasicBlock* after = core_.block("added");
  builder_.CreateBr(attempt);
  builder_.SetInsertPoint(attempt);
  PHINode* old = builder_.CreatePHI(word, 2, "old");
  old->addIncoming(seen, before);
  Value* sum = builder_.CreateFAddReduce(builder_.CreateBitCast(old, type), each);
  AtomicCmpXchgInst* exchange = builder_.CreateAtomicCmpXchg(
      place, old, builder_.CreateBitCast(sum, word), modification.getAlign(), modification.getOrdering(),
      AtomicCmpXchgInst::getStrongestFailureOrdering(modification.getOrdering()),
      modification.getSyncScopeID());
  old->addIncoming(builder_.CreateExtractValue(exchange, 0), attempt);
  builder_.CreateCondBr(builder_.CreateExtractValue(exchange, 1), after, attempt);
  builder_.SetInsertPoint(after);
}

void atomic_emission::emit_combined(AtomicRMWInst& modification) {
  if (modification.getType()->isFloatingPointTy())
    return emit_combined_sum(modification);
  if (Value* result = emit_combined_integers(modification))
    values_.set(&modification, result);
}

} // namespace falx::jit::simd
