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
#include "barriers/local_atomics.hpp"
#include "vectorizer/analysis/lane_safety.hpp"

using namespace llvm;

namespace falx::jit::simd {

/// As emit_reduction names it; empty if there is none.
static StringRef reduction_of(AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return "add_u";
  case AtomicRMWInst::And:
    return "and_u";
  case AtomicRMWInst::Or:
    return "or_u";
  case AtomicRMWInst::Xor:
    return "xor_u";
  case AtomicRMWInst::Max:
    return "max_s";
  case AtomicRMWInst::Min:
    return "min_s";
  case AtomicRMWInst::UMax:
    return "max_u";
  case AtomicRMWInst::UMin:
    return "min_u";
  default:
    return "";
  }
}

bool is_combined(const AtomicRMWInst& modification, const lane_shapes& shapes) {
  const AtomicRMWInst::BinOp operation = modification.getOperation();
  if (modification.isVolatile() || !shapes[modification.getPointerOperand()].is_uniform() ||
      !has_vector_layout(modification.getType(), modification.getDataLayout()))
    return false;
  if (!reduction_of(operation).empty())
    return true;
  const bool is_last_or_sum = operation == AtomicRMWInst::Xchg || operation == AtomicRMWInst::FAdd ||
                              operation == AtomicRMWInst::FSub;
  return is_last_or_sum && modification.use_empty();
}

static Value* combine(IRBuilder<>& builder, AtomicRMWInst::BinOp operation, Value* left, Value* right) {
  switch (operation) {
  case AtomicRMWInst::And:
    return builder.CreateAnd(left, right);
  case AtomicRMWInst::Or:
    return builder.CreateOr(left, right);
  case AtomicRMWInst::Xor:
    return builder.CreateXor(left, right);
  case AtomicRMWInst::Max:
    return builder.CreateBinaryIntrinsic(Intrinsic::smax, left, right);
  case AtomicRMWInst::Min:
    return builder.CreateBinaryIntrinsic(Intrinsic::smin, left, right);
  case AtomicRMWInst::UMax:
    return builder.CreateBinaryIntrinsic(Intrinsic::umax, left, right);
  case AtomicRMWInst::UMin:
    return builder.CreateBinaryIntrinsic(Intrinsic::umin, left, right);
  default: // a difference takes off a sum
    return builder.CreateAdd(left, right);
  }
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
  const StringRef name = reduction_of(operation);
  Value* each = values_.vector(modification.getValOperand());
  Value* neutral = values_.splat(sub_group_emission::neutral_element(name, modification.getType()));
  each = builder_.CreateSelect(core_.mask(), each, neutral);
  Value* total = sub_groups_.emit_reduction(name, each);
  if (name == "add_u" && shapes_[modification.getValOperand()].is_uniform()) {
    Value* count = builder_.CreateUnaryIntrinsic(Intrinsic::ctpop, core_.bits(core_.mask()));
    total = builder_.CreateMul(values_.scalar(modification.getValOperand()),
                               builder_.CreateZExtOrTrunc(count, modification.getType()));
  }
  AtomicRMWInst* first = builder_.CreateAtomicRMW(operation, values_.scalar(modification.getPointerOperand()),
                                                  total, modification.getAlign(), modification.getOrdering(),
                                                  modification.getSyncScopeID());
  copy_local_mark(modification, *first);
  if (modification.use_empty())
    return nullptr;
  Value* before = each;
  for (unsigned distance = 1; distance < request_.lanes; distance *= 2)
    before = combine(builder_, operation, before, from_before(builder_, before, neutral, distance));
  before = from_before(builder_, before, neutral, 1);
  Value* start = values_.splat(first);
  return operation == AtomicRMWInst::Sub ? builder_.CreateSub(start, before)
                                         : combine(builder_, operation, start, before);
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
  copy_local_mark(modification, *exchange);
  old->addIncoming(builder_.CreateExtractValue(exchange, 0), attempt);
  builder_.CreateCondBr(builder_.CreateExtractValue(exchange, 1), after, attempt);
  builder_.SetInsertPoint(after);
}

void atomic_emission::emit_combined(AtomicRMWInst& modification) {
  if (modification.getType()->isFloatingPointTy() && modification.getOperation() != AtomicRMWInst::Xchg)
    return emit_combined_sum(modification);
  if (modification.getOperation() == AtomicRMWInst::Xchg) {
    AtomicRMWInst* last = builder_.CreateAtomicRMW(
        AtomicRMWInst::Xchg, values_.scalar(modification.getPointerOperand()),
        core_.of_lane(modification.getValOperand(), core_.last_active()), modification.getAlign(),
        modification.getOrdering(), modification.getSyncScopeID());
    return copy_local_mark(modification, *last);
  }
  if (Value* result = emit_combined_integers(modification))
    values_.set(&modification, result);
}

} // namespace falx::jit::simd
