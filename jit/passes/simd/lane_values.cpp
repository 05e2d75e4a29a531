// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lane_values.hpp"

using namespace llvm;

namespace falx::jit::simd {

Type* widened(Type* type, unsigned lanes) {
  if (auto* structure = dyn_cast<StructType>(type)) {
    SmallVector<Type*> elements;
    for (Type* element : structure->elements())
      elements.push_back(widened(element, lanes));
    return StructType::get(type->getContext(), elements);
  }
  return FixedVectorType::get(type, lanes);
}

Value* lane_values::scalar(const Value* original) const {
  if (isa<Constant>(original))
    return const_cast<Value*>(original);
  return ours_.lookup(original);
}

Constant* lane_values::offsets(const lane_shape& shape, Type* element) const {
  SmallVector<Constant*, 64> numbers;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    numbers.push_back(ConstantInt::getSigned(element, shape.offset_of(lane), /*ImplicitTrunc=*/true));
  return ConstantVector::get(numbers);
}

Value* lane_values::splat(Value* scalar) {
  Type* type = scalar->getType();
  if (!type->isStructTy())
    return builder_.CreateVectorSplat(lanes_, scalar);
  Value* result = PoisonValue::get(widened(type, lanes_));
  for (unsigned index = 0; index < type->getStructNumElements(); ++index)
    result = builder_.CreateInsertValue(result, splat(builder_.CreateExtractValue(scalar, index)), index);
  return result;
}

Value* lane_values::select(Value* mask, Value* yes, Value* no) {
  if (!yes->getType()->isStructTy())
    return builder_.CreateSelect(mask, yes, no);
  Value* result = PoisonValue::get(yes->getType());
  for (unsigned index = 0; index < yes->getType()->getStructNumElements(); ++index)
    result = builder_.CreateInsertValue(
        result, select(mask, builder_.CreateExtractValue(yes, index), builder_.CreateExtractValue(no, index)),
        index);
  return result;
}

Value* lane_values::spread(Value* base, const lane_shape& shape) {
  if (shape.is_uniform())
    return splat(base);
  if (base->getType()->isPointerTy())
    return builder_.CreateGEP(builder_.getInt8Ty(), base, offsets(shape, builder_.getInt64Ty()));
  return builder_.CreateAdd(splat(base), offsets(shape, base->getType()));
}

Value* lane_values::vector(const Value* original) {
  const lane_shape shape = shapes_[original];
  if (shape.is_varying())
    return ours_.lookup(original);
  if (isa<Constant>(original))
    return splat(const_cast<Value*>(original));
  Value*& result = vectors_[original];
  if (result == nullptr)
    result = spread(scalar(original), shape);
  return result;
}

} // namespace falx::jit::simd
