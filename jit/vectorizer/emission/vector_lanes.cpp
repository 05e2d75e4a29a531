// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has no vector form runs once per active lane, lowest first. Before:
//   %old = atomicrmw add ptr %p, i32 %x monotonic
// After, with %p uniform:
//   store <8 x i32> %x, ptr %x.lanes
//   %active = bitcast <8 x i1> %mask to i8
//   br label %lane
// lane:
//   %rest = phi i8 [ %active, … ], [ %rest.next, %lane ]
//   %number = cttz %rest
//   %x.lane = load i32, ptr (%x.lanes + %number)
//   %old.lane = atomicrmw add ptr %p, i32 %x.lane monotonic
//   store i32 %old.lane, ptr (%old.lanes + %number)
//   %rest.next = and %rest, %rest - 1
//   br %rest.next != 0, label %lane, label %lane.end
// lane.end:
//   %old = load <8 x i32>, ptr %old.lanes

#include "lane_loops.hpp"
#include "pipeline/budgets.hpp"
#include "vectorizer/analysis/lane_safety.hpp"
#include "vectorizer/control/work_item_loops.hpp"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace falx::jit::simd {

/// In memory i1 is a byte.
static Type* stored_type(Type* type) {
  return type->isIntegerTy(1) ? Type::getInt8Ty(type->getContext()) : type;
}

/// An array with an element per lane that holds \p vector. Types whose vectors have another layout than their
/// arrays go element by element.
Value* lane_loops::spill(Value* vector) {
  auto* type = cast<FixedVectorType>(vector->getType());
  Type* element = stored_type(type->getElementType());
  AllocaInst* place = core_.variable(ArrayType::get(element, request_.lanes), "lanes");
  if (element != type->getElementType())
    vector = builder_.CreateZExt(vector, FixedVectorType::get(element, request_.lanes));
  if (has_vector_layout(element, core_.function().getDataLayout())) {
    builder_.CreateAlignedStore(vector, place, place->getAlign());
    return place;
  }
  for (unsigned lane = 0; lane < request_.lanes; ++lane)
    builder_.CreateStore(builder_.CreateExtractElement(vector, lane),
                         builder_.CreateConstInBoundsGEP2_64(place->getAllocatedType(), place, 0, lane));
  return place;
}

/// Does it become a call of a function?
static bool is_call(const Instruction& instruction) {
  return instruction.getOpcode() == Instruction::FRem ||
         (isa<CallInst>(instruction) && !isa<IntrinsicInst>(instruction));
}

void lane_loops::emit(Instruction& instruction, bool may_have_all_lanes) {
  LLVMContext& context = builder_.getContext();
  Type* number = builder_.getIntNTy(request_.lanes);
  DenseMap<const Value*, Value*> places;
  for (Value* operand : instruction.operands())
    if (!isa<Function, InlineAsm, MetadataAsValue>(operand) && shapes_[operand].is_varying() &&
        !operand->getType()->isStructTy() && !places.contains(operand))
      places[operand] = spill(values_.vector(operand));
  Type* type = instruction.getType();
  SmallVector<Type*> parts;
  if (auto* structure = dyn_cast<StructType>(type); structure != nullptr && !instruction.use_empty())
    append_range(parts, structure->elements());
  else if (!instruction.use_empty())
    parts.push_back(type);
  SmallVector<Value*> results;
  for (Type* part : parts)
    results.push_back(core_.variable(ArrayType::get(stored_type(part), request_.lanes), "results"));

  Value* active = core_.bits(core_.mask());
  BasicBlock* before = builder_.GetInsertBlock();
  BasicBlock* loop = core_.block("lane");
  BasicBlock* after = core_.block("lane.end");
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  PHINode* rest = builder_.CreatePHI(number, 2, "rest");
  rest->addIncoming(active, before);
  Value* lane = builder_.CreateBinaryIntrinsic(Intrinsic::cttz, rest, builder_.getTrue());
  lane = builder_.CreateZExtOrTrunc(lane, builder_.getInt64Ty());
  const auto element_of = [&](Value* place, Type* element) {
    return builder_.CreateInBoundsGEP(element, place, lane);
  };
  Instruction* copy = instruction.clone();
  for (Use& use : copy->operands()) {
    Value* operand = use.get();
    if (isa<Function, InlineAsm, MetadataAsValue>(operand))
      continue;
    const lane_shape shape = shapes_[operand];
    if (Value* place = places.lookup(operand)) {
      Type* stored = stored_type(operand->getType());
      Value* value = builder_.CreateLoad(stored, element_of(place, stored));
      use.set(builder_.CreateTruncOrBitCast(value, operand->getType()));
    } else if (shape.is_uniform()) {
      use.set(values_.scalar(operand));
    } else if (!shape.is_progression()) {
      use.set(core_.of_lane(operand, lane));
    } else {
      Value* base = values_.scalar(operand);
      Type* step = operand->getType()->isPointerTy() ? builder_.getInt64Ty() : operand->getType();
      Value* offset = builder_.CreateMul(builder_.CreateZExtOrTrunc(lane, step),
                                         ConstantInt::getSigned(step, shape.stride, /*ImplicitTrunc=*/true));
      use.set(operand->getType()->isPointerTy() ? builder_.CreateGEP(builder_.getInt8Ty(), base, offset)
                                                : builder_.CreateAdd(base, offset));
    }
  }
  copy->dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa});
  Value* result = builder_.Insert(copy);
  for (unsigned index = 0; index < parts.size(); ++index) {
    Value* part = type->isStructTy() ? builder_.CreateExtractValue(result, index) : result;
    Type* stored = stored_type(parts[index]);
    if (stored != parts[index])
      part = builder_.CreateZExt(part, stored);
    builder_.CreateStore(part, element_of(results[index], stored));
  }
  Value* next = builder_.CreateAnd(rest, builder_.CreateSub(rest, ConstantInt::get(number, 1)), "rest.next");
  rest->addIncoming(next, builder_.GetInsertBlock());
  BranchInst* again = builder_.CreateCondBr(builder_.CreateIsNotNull(next), loop, after);
  if (is_call(instruction) || !may_have_all_lanes || ++loops_ > UNROLLED_LANE_LOOPS)
    again->setMetadata(LLVMContext::MD_loop, never_unrolled(context));
  builder_.SetInsertPoint(after);
  if (parts.empty())
    return;

  const auto reload = [&](unsigned index) -> Value* {
    Type* stored = stored_type(parts[index]);
    auto* vector = FixedVectorType::get(stored, request_.lanes);
    if (!has_vector_layout(stored, core_.function().getDataLayout())) {
      Value* all = PoisonValue::get(vector);
      for (unsigned at = 0; at < request_.lanes; ++at) {
        Value* place = builder_.CreateConstInBoundsGEP1_64(stored, results[index], at);
        all = builder_.CreateInsertElement(all, builder_.CreateLoad(stored, place), at);
      }
      return all;
    }
    Value* all =
        builder_.CreateAlignedLoad(vector, results[index], cast<AllocaInst>(results[index])->getAlign());
    return builder_.CreateTruncOrBitCast(all, FixedVectorType::get(parts[index], request_.lanes));
  };
  if (!type->isStructTy())
    return values_.set(&instruction, reload(0));
  Value* structure = PoisonValue::get(widened(type, request_.lanes));
  for (unsigned index = 0; index < parts.size(); ++index)
    structure = builder_.CreateInsertValue(structure, reload(index), index);
  values_.set(&instruction, structure);
}

/// All lanes, whether active or not.
Value* lane_loops::divide(Instruction::BinaryOps operation, Value* dividend, Value* divisor) {
  Type *type = dividend->getType(), *element = type->getScalarType();
  Value *upper = spill(dividend), *lower = spill(divisor);
  AllocaInst* results = core_.variable(ArrayType::get(element, request_.lanes), "quotients");
  emit_loop(builder_, builder_.getInt64(0), builder_.getInt64(request_.lanes), /*may_be_empty=*/false,
            never_unrolled(builder_.getContext()), "lane", [&](IRBuilder<>& in_loop, Value* lane) {
              const auto at = [&](Value* place) { return in_loop.CreateInBoundsGEP(element, place, lane); };
              Value* quotient = in_loop.CreateBinOp(operation, in_loop.CreateLoad(element, at(upper)),
                                                    in_loop.CreateLoad(element, at(lower)));
              in_loop.CreateStore(quotient, at(results));
            });
  return builder_.CreateAlignedLoad(type, results, results->getAlign());
}

} // namespace falx::jit::simd
