// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lane_values.hpp"

#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

Type* widened(Type* type, unsigned lanes) {
  if (auto* structure = dyn_cast<StructType>(type)) {
    SmallVector<Type*> elements;
    for (Type* element : structure->elements())
      elements.push_back(widened(element, lanes));
    return StructType::get(type->getContext(), elements);
  }
  assert(FixedVectorType::isValidElementType(type) && "values of this type have no vector form");
  return FixedVectorType::get(type, lanes);
}

bool lane_values::has_form_of(const Value* original, const Value* ours) const {
  Type* type = original->getType();
  const bool is_vector = shapes_[original].is_varying() && !type->isVoidTy();
  return ours != nullptr && ours->getType() == (is_vector ? widened(type, lanes_) : type);
}

Value* lane_values::scalar(const Value* original) const {
  if (isa<Constant>(original))
    return const_cast<Value*>(original);
  assert(shapes_[original].is_scalar() && "no scalar stands for what varies");
  assert(ours_.lookup(original) != nullptr && "a value is used before it is made");
  return ours_.lookup(original);
}

Constant* lane_values::offsets(const lane_shape& shape, Type* element) const {
  assert(element->isIntegerTy() && "offsets are numbers");
  SmallVector<Constant*, 64> numbers;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    numbers.push_back(ConstantInt::getSigned(element, shape.offset_of(lane), /*ImplicitTrunc=*/true));
  return ConstantVector::get(numbers);
}

Value* lane_values::splat(Value* scalar) {
  Type* type = scalar->getType();
  assert(!type->isVectorTy() && "vectors of the language have been taken apart");
  if (!type->isStructTy())
    return builder_.CreateVectorSplat(lanes_, scalar);
  Value* result = PoisonValue::get(widened(type, lanes_));
  for (unsigned index = 0; index < type->getStructNumElements(); ++index)
    result = builder_.CreateInsertValue(result, splat(builder_.CreateExtractValue(scalar, index)), index);
  return result;
}

Value* lane_values::select(Value* mask, Value* yes, Value* no) {
  assert(yes->getType() == no->getType() && "both are forms of values of one type");
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
  if (shape.is_varying()) {
    assert(ours_.lookup(original) != nullptr && "a value is used before it is made");
    return ours_.lookup(original);
  }
  if (isa<Constant>(original))
    return splat(const_cast<Value*>(original));
  Value*& result = vectors_[original];
  if (result == nullptr)
    result = spread(scalar(original), shape);
  return result;
}

} // namespace falx::jit::simd
