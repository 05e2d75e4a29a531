// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sub-group is a vector, so its functions are operations on vectors. What lanes that are not active
// pass does not matter.

#include "vector_sub_groups.hpp"
#include "frontend/kernel_attributes.hpp"
#include "vectorizer/cost/cost_model.hpp"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace falx::jit::simd {

/// \p value for all, of the lanes whose numbers are \p numbers; numbers that no lane has may get anything.
Value* sub_group_emission::emit_shuffle(Value* value, Value* numbers) {
  const auto* constant = dyn_cast<ConstantDataVector>(numbers);
  auto* type = cast<FixedVectorType>(value->getType());
  if (constant != nullptr) {
    SmallVector<int, 64> from;
    for (unsigned lane = 0; lane < request_.lanes; ++lane)
      from.push_back(int(constant->getElementAsInteger(lane) % request_.lanes));
    return builder_.CreateShuffleVector(value, from);
  }
  Value* within = builder_.CreateAnd(numbers, values_.splat(builder_.getInt32(request_.lanes - 1)));
  // Registers times registers of permutations, or an access for each lane.
  const unsigned permuted = request_.permuted_elements;
  if (permuted == 1 || request_.lanes > permuted * permuted)
    return emit_permutation_in_memory(value, within);
  if (type->getScalarSizeInBits() == 32)
    return emit_permutation(value, within);
  // Halves of 32 bits: as many as there are numbers fit a register.
  auto* halves = FixedVectorType::get(builder_.getInt32Ty(), request_.lanes * 2);
  value = builder_.CreateBitCast(value, halves);
  Value* parts[2];
  for (unsigned half = 0; half < 2; ++half)
    parts[half] = emit_permutation(
        builder_.CreateShuffleVector(value, createStrideMask(half, 2, request_.lanes)), within);
  Value* both = builder_.CreateShuffleVector(parts[0], parts[1], createInterleaveMask(request_.lanes, 2));
  return builder_.CreateBitCast(both, type);
}

/// Element \p numbers[i] of \p value for each i, in the form in which LLVM finds its instruction for it: one
/// register's elements at once.
Value* sub_group_emission::emit_permutation(Value* value, Value* numbers) {
  const unsigned permuted = request_.permuted_elements;
  const unsigned from = cast<FixedVectorType>(value->getType())->getNumElements();
  const unsigned to = cast<FixedVectorType>(numbers->getType())->getNumElements();
  const auto part = [&](Value* vector, unsigned begin, unsigned count) {
    return builder_.CreateShuffleVector(vector, createSequentialMask(begin, count, 0));
  };
  if (to > permuted) {
    Value* halves[] = {emit_permutation(value, part(numbers, 0, to / 2)),
                       emit_permutation(value, part(numbers, to / 2, to / 2))};
    return concatenateVectors(builder_, halves);
  }
  if (from > permuted) {
    Constant* half = ConstantInt::get(numbers->getType(), from / 2);
    Value* is_upper = builder_.CreateIsNotNull(builder_.CreateAnd(numbers, half));
    Value* within = builder_.CreateAnd(numbers, ConstantInt::get(numbers->getType(), from / 2 - 1));
    return builder_.CreateSelect(is_upper, emit_permutation(part(value, from / 2, from / 2), within),
                                 emit_permutation(part(value, 0, from / 2), within));
  }
  Value* result = PoisonValue::get(FixedVectorType::get(builder_.getInt32Ty(), to));
  for (unsigned lane = 0; lane < to; ++lane)
    result = builder_.CreateInsertElement(
        result, builder_.CreateExtractElement(value, builder_.CreateExtractElement(numbers, lane)), lane);
  return result;
}

/// The same by way of a variable, which holds \p value.
Value* sub_group_emission::emit_permutation_in_memory(Value* value, Value* numbers) {
  Type* element = value->getType()->getScalarType();
  AllocaInst* place = core_.variable(value->getType(), "permuted");
  builder_.CreateLifetimeStart(place);
  builder_.CreateStore(value, place);
  Value* result = PoisonValue::get(value->getType());
  for (unsigned lane = 0; lane < request_.lanes; ++lane) {
    Value* from = builder_.CreateGEP(element, place, builder_.CreateExtractElement(numbers, lane));
    result = builder_.CreateInsertElement(result, builder_.CreateLoad(element, from), lane);
  }
  builder_.CreateLifetimeEnd(place);
  return result;
}

/// <operation>_<type>; of the type the first letter counts.
static Intrinsic::ID reduction_named(StringRef what) {
  const auto [operation, type] = what.split('_');
  const bool knows_type = type.starts_with("f") || operation == "min" || operation == "max";
  return Intrinsic::lookupIntrinsicID(
      ("llvm.vector.reduce." + (knows_type ? type.take_front() : "") + operation).str());
}

/// The lanes' values combined, for all lanes.
Value* sub_group_emission::emit_reduction(Intrinsic::ID reduction, Value* value) {
  Value* neutral = getReductionIdentity(reduction, value->getType()->getScalarType(), FastMathFlags());
  value = builder_.CreateSelect(core_.mask(), value, values_.splat(neutral));
  if (reduction != Intrinsic::vector_reduce_fadd)
    return builder_.CreateUnaryIntrinsic(reduction, value);
  CallInst* sum = builder_.CreateFAddReduce(neutral, value);
  sum->setHasAllowReassoc(true);
  return sum;
}

Value* sub_group_emission::emit(CallInst& call, StringRef name) {
  const auto vector = [&](unsigned index) { return values_.vector(call.getArgOperand(index)); };
  if (name == "barrier")
    return nullptr; // lanes are in step
  if (name == "local_id")
    return builder_.getInt32(0);
  if (name == "id") {
    Value* linear = values_.scalar(argument(core_.work_item(), parameter::linear));
    return builder_.CreateTrunc(builder_.CreateLShr(linear, Log2_32(request_.sub_group_size)),
                                call.getType());
  }
  if (name == "active")
    return builder_.CreateZExt(core_.bits(core_.mask()), call.getType());
  // Members that are here are active here, and what others pass is not for them.
  name.consume_front("members_");
  if (name == "ballot")
    return builder_.CreateZExt(core_.bits(builder_.CreateLogicalAnd(core_.mask(), vector(0))),
                               call.getType());
  if (name == "any")
    return core_.any(builder_.CreateLogicalAnd(core_.mask(), vector(0)));
  if (name == "all")
    return builder_.CreateNot(
        core_.any(builder_.CreateLogicalAnd(core_.mask(), builder_.CreateNot(vector(0)))));
  if (name.consume_front("reduce_"))
    return emit_reduction(reduction_named(name), vector(0));

  name.consume_front("shuffle_");
  if (shapes_[call.getArgOperand(0)].is_uniform())
    return values_.scalar(call.getArgOperand(0));
  if (name.starts_with("u") && !name.starts_with("up") && shapes_[call.getArgOperand(1)].is_uniform()) {
    Value* number = builder_.CreateAnd(values_.scalar(call.getArgOperand(1)), request_.lanes - 1);
    return builder_.CreateExtractElement(vector(0), number);
  }
  Value* numbers = vector(1);
  Constant* self = values_.lane_numbers(builder_.getInt32Ty());
  if (name.starts_with("up"))
    numbers = builder_.CreateSub(self, numbers);
  else if (name.starts_with("down"))
    numbers = builder_.CreateAdd(self, numbers);
  else if (name.starts_with("xor"))
    numbers = builder_.CreateXor(self, numbers);
  return emit_shuffle(vector(0), numbers);
}

} // namespace falx::jit::simd
