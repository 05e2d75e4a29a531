// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emission_core.hpp"
#include "vectorizer/analysis/rematerialisation.hpp"

using namespace llvm;

namespace falx::jit::simd {

Value* emission_core::bits(Value* mask) {
  assert(is_mask(mask) && "a mask has a bit per lane");
  return builder_.CreateBitCast(mask, builder_.getIntNTy(request_.lanes));
}

Value* emission_core::any(Value* mask) {
  return builder_.CreateIsNotNull(bits(mask));
}

SmallVector<Value*, 2> emission_core::either(Value* condition, MDNode* weights, const side& yes,
                                             const side& no, const Twine& result) {
  BasicBlock *blocks[] = {block(yes.name), block(no.name)}, *after = block("behind");
  builder_.CreateCondBr(condition, blocks[0], blocks[1], weights);
  SmallVector<Value*, 2> made[2];
  for (unsigned index = 0; index < 2; ++index) {
    builder_.SetInsertPoint(blocks[index]);
    // What is emitted on demand for either side must not be taken for the other's.
    values_.leave_block();
    made[index] = (index == 0 ? yes : no).emit();
    blocks[index] = builder_.GetInsertBlock();
    builder_.CreateBr(after);
  }
  builder_.SetInsertPoint(after);
  values_.leave_block();
  SmallVector<Value*, 2> results;
  for (const auto& [left, right] : zip_equal(made[0], made[1])) {
    PHINode* phi = builder_.CreatePHI(left->getType(), 2, result);
    phi->addIncoming(left, blocks[0]);
    phi->addIncoming(right, blocks[1]);
    results.push_back(phi);
  }
  return results;
}

AllocaInst* emission_core::variable(Type* type, const Twine& name) {
  IRBuilder<> entry(&vector_.getEntryBlock(), vector_.getEntryBlock().begin());
  return entry.CreateAlloca(type, nullptr, name);
}

Value* emission_core::first_active() {
  Value* number = builder_.CreateBinaryIntrinsic(Intrinsic::cttz, bits(mask_), builder_.getFalse());
  return builder_.CreateZExtOrTrunc(number, builder_.getInt32Ty());
}

Value* emission_core::last_active() {
  Value* zeros = builder_.CreateBinaryIntrinsic(Intrinsic::ctlz, bits(mask_), builder_.getFalse());
  return builder_.CreateSub(builder_.getInt32(request_.lanes - 1),
                            builder_.CreateZExtOrTrunc(zeros, builder_.getInt32Ty()));
}

Value* emission_core::of_lane(const Value* original, Value* lane) {
  const lane_shape shape = shapes_[original];
  if (shape.is_uniform())
    return values_.scalar(original);
  Value* vector = values_.vector(original);
  // Where there is no such lane the element does not matter, but it is one: LLVM may have it taken before
  // anyone has asked for an active lane, from memory if the number is not a constant.
  if (!isa<Constant>(lane))
    lane = builder_.CreateAnd(builder_.CreateFreeze(lane), request_.lanes - 1);
  auto* structure = dyn_cast<StructType>(vector->getType());
  if (structure == nullptr)
    return builder_.CreateExtractElement(vector, lane);
  Value* result = PoisonValue::get(original->getType());
  for (unsigned index = 0; index < structure->getNumElements(); ++index)
    result = builder_.CreateInsertValue(
        result, builder_.CreateExtractElement(builder_.CreateExtractValue(vector, index), lane), index);
  return result;
}

Value* emission_core::made_for_lane(const Value& original, unsigned lane,
                                    bool (*made_again)(const Instruction&)) {
  assert(lane < request_.lanes && "there is no such lane");
  rematerialiser for_lane(builder_, rematerialiser::flags::dropped, [&](Value& value) -> Value* {
    const lane_shape shape = shapes_[&value];
    if (shape.is_varying()) {
      const auto* step = dyn_cast<Instruction>(&value);
      const bool is_taken = step == nullptr || (made_again != nullptr && !made_again(*step));
      return is_taken ? of_lane(&value, builder_.getInt64(lane)) : nullptr;
    }
    Value* base = values_.scalar(&value);
    const std::int64_t offset = shape.offset_of(lane);
    if (offset == 0)
      return base;
    if (value.getType()->isPointerTy())
      return builder_.CreateGEP(builder_.getInt8Ty(), base, builder_.getInt64(std::uint64_t(offset)));
    return builder_.CreateAdd(base, ConstantInt::getSigned(value.getType(), offset, /*ImplicitTrunc=*/true));
  });
  return for_lane.emit(const_cast<Value&>(original));
}

} // namespace falx::jit::simd
