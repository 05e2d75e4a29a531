// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector_emission.hpp"
#include "sub_group_builtins.hpp"
#include "vector_calls.hpp"
#include "vectorizer/analysis/lane_safety.hpp"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Operator.h>

#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

void vector_emission::emit(Instruction& instruction) {
  assert(mask_ != nullptr && "no block has been entered");
  assert(instruction.getFunction() == &work_item_ && !isa<PHINode>(instruction) &&
         !instruction.isTerminator() && "control is linearization's business");
  builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
  if (auto* variable = dyn_cast<AllocaInst>(&instruction))
    return memory_.emit(*variable);
  if (auto* call = dyn_cast<CallInst>(&instruction)) {
    if (const StringRef name = sub_group_builtin(*call); !name.empty()) {
      if (Value* result = sub_groups_.emit(*call, name))
        values_.set(call, result);
      return;
    }
    if (is_combined(*call, shapes_))
      return values_.set(call, async_barriers_.emit(*call));
    if (call->getIntrinsicID() == Intrinsic::prefetch)
      return memory_.emit_prefetch(*call);
    if (call->getType()->isVoidTy() && has_vector_form(*call))
      return; // says something to an optimiser about one work-item
  }
  if (is_order_of_lanes(instruction))
    return; // they are in step
  if (const shuffled_access* access = shuffled_.of(&instruction)) {
    if (&instruction == access->leader().access)
      memory_.emit(*access);
    return;
  }
  auto* modification = dyn_cast<AtomicRMWInst>(&instruction);
  if (modification != nullptr && is_combined(*modification, shapes_))
    return atomics_.emit_combined(*modification);
  if (modification != nullptr && is_local_counting(*modification, request_.lanes))
    return atomics_.emit_local_counting(*modification);
  if (!emit_unless_wrapping(instruction))
    emit_alone(instruction);
}

void vector_emission::emit_alone(Instruction& instruction) {
  if (runs_lane_by_lane(instruction, shapes_))
    return loops_.emit(instruction);
  if (auto* store = dyn_cast<StoreInst>(&instruction))
    return memory_.emit(*store);
  values_.set(&instruction,
              shapes_[&instruction].is_scalar() ? emit_scalar(instruction) : emit_vector(instruction));
}

/// Of all that is known about the value of an active lane, lane 0 keeps what does not say what it is.
Value* vector_emission::emit_scalar(Instruction& instruction) {
  const lane_shape shape = shapes_[&instruction];
  if (auto* cast = dyn_cast<CastInst>(&instruction);
      cast != nullptr && !shape.is_uniform() && isa<SExtInst, ZExtInst>(cast))
    return emit_exact_extension(*cast);
  // Bits that are disjoint in active lanes need not be in lane 0.
  if (instruction.getOpcode() == Instruction::Or && !shape.is_uniform())
    return builder_.CreateAdd(values_.scalar(instruction.getOperand(0)),
                              values_.scalar(instruction.getOperand(1)), instruction.getName());
  Instruction* copy = instruction.clone();
  for (Use& operand : copy->operands())
    if (!isa<Function, InlineAsm, MetadataAsValue>(operand.get()))
      operand.set(values_.scalar(operand.get()));
  copy->dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa, LLVMContext::MD_invariant_load,
                                     LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  if (!shape.is_uniform() ||
      any_of(instruction.operands(), [&](const Use& use) { return !shapes_[use].is_uniform(); }))
    copy->dropPoisonGeneratingFlags();
  return builder_.Insert(copy, instruction.getName());
}

/// Base and offset are numbers as far as active lanes go: lane 0, if inactive, may have wrapped. So
/// extends the first active lane's value and goes back from there.
Value* vector_emission::emit_exact_extension(CastInst& cast) {
  Value* base = values_.scalar(cast.getOperand(0));
  const lane_shape shape = shapes_[cast.getOperand(0)];
  assert((shape.exact_unsigned || shape.exact_signed) && "offsets do not survive that base and offset wrap");
  if (shape.is_in_block(request_.lanes))
    return builder_.CreateCast(cast.getOpcode(), base, cast.getDestTy(), cast.getName());
  Type *narrow = cast.getSrcTy(), *wide = cast.getDestTy();
  Value* first = first_active();
  const auto distance = [&](Type* type) -> Value* {
    if (!shape.is_progression()) // without an active lane it does not matter whose, but it has to be one's
      return builder_.CreateExtractElement(values_.offsets(shape, type),
                                           builder_.CreateAnd(first, request_.lanes - 1));
    return builder_.CreateMul(builder_.CreateZExtOrTrunc(first, type),
                              ConstantInt::getSigned(type, shape.stride, /*ImplicitTrunc=*/true));
  };
  Value* active = builder_.CreateAdd(base, distance(narrow));
  Value* extended = builder_.CreateCast(cast.getOpcode(), active, wide);
  return builder_.CreateSub(extended, distance(wide), cast.getName());
}

Value* vector_emission::emit_address(GetElementPtrInst& address) {
  const auto operand = [&](Value* original) {
    return shapes_[original].is_uniform() ? values_.scalar(original) : values_.vector(original);
  };
  Value* start = address.getPointerOperand();
  const auto* extension = dyn_cast<SExtInst>(address.getOperand(1));
  if (shapes_[start].is_scalar() && !shapes_[start].is_uniform() && extension != nullptr &&
      address.getNumIndices() == 1 && address.getSourceElementType()->isIntegerTy(8)) {
    // One base and offsets of 32 bits, which gathers like: what is not within a variable does not matter.
    Value* narrow = values_.vector(extension->getOperand(0));
    narrow = builder_.CreateAdd(narrow, values_.offsets(shapes_[start], extension->getSrcTy()));
    Value* offsets = builder_.CreateSExt(narrow, widened(extension->getDestTy(), request_.lanes));
    return builder_.CreateGEP(builder_.getInt8Ty(), values_.scalar(start), offsets, address.getName());
  }
  SmallVector<Value*> indices;
  for (Value* index : address.indices())
    indices.push_back(operand(index));
  Value* base = operand(address.getPointerOperand());
  return builder_.CreateGEP(address.getSourceElementType(), base, indices, address.getName(),
                            address.getNoWrapFlags());
}

Value* vector_emission::emit_vector(Instruction& instruction) {
  const auto vector = [&](unsigned index) { return values_.vector(instruction.getOperand(index)); };
  if (auto* load = dyn_cast<LoadInst>(&instruction))
    return memory_.emit(*load);
  if (auto* address = dyn_cast<GetElementPtrInst>(&instruction))
    return emit_address(*address);
  Value* result = nullptr;
  if (auto* binary = dyn_cast<BinaryOperator>(&instruction)) {
    if (binary->isIntDivRem())
      return emit_division(*binary);
    result = builder_.CreateBinOp(binary->getOpcode(), vector(0), vector(1), binary->getName());
  } else if (auto* cast = dyn_cast<CastInst>(&instruction)) {
    result = builder_.CreateCast(cast->getOpcode(), vector(0), widened(cast->getDestTy(), request_.lanes),
                                 cast->getName());
  } else if (auto* compare = dyn_cast<CmpInst>(&instruction)) {
    result = builder_.CreateCmp(compare->getPredicate(), vector(0), vector(1), compare->getName());
  } else if (auto* select = dyn_cast<SelectInst>(&instruction)) {
    if (!shapes_[select->getCondition()].is_uniform())
      return values_.select(vector(0), vector(1), vector(2));
    result = builder_.CreateSelect(values_.scalar(select->getCondition()), vector(1), vector(2),
                                   select->getName());
  } else if (auto* negation = dyn_cast<UnaryOperator>(&instruction)) {
    result = builder_.CreateUnOp(negation->getOpcode(), vector(0), negation->getName());
  } else if (isa<FreezeInst>(instruction)) {
    result = builder_.CreateFreeze(vector(0), instruction.getName());
  } else if (auto* extraction = dyn_cast<ExtractValueInst>(&instruction)) {
    result = builder_.CreateExtractValue(vector(0), extraction->getIndices(), extraction->getName());
  } else if (auto* insertion = dyn_cast<InsertValueInst>(&instruction)) {
    result = builder_.CreateInsertValue(vector(0), vector(1), insertion->getIndices(), insertion->getName());
  } else {
    auto& call = llvm::cast<CallInst>(instruction);
    assert(has_vector_form(call) && "runs_lane_by_lane lets nothing through that has no vector form");
    return emit_vector_form(builder_, call, request_.lanes,
                            [&](Value* argument) { return values_.vector(argument); });
  }
  if (auto* made = dyn_cast<Instruction>(result)) {
    made->copyIRFlags(&instruction);
    made->copyMetadata(instruction, {LLVMContext::MD_fpmath});
  }
  return result;
}

} // namespace falx::jit::simd
