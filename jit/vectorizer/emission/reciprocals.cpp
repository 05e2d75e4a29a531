// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reciprocals.hpp"

using namespace llvm;

namespace falx::jit::simd {

Value* reciprocal_above(IRBuilder<>& builder, bool is_signed, Value* divisor, Type* exact) {
  Value* number = is_signed ? builder.CreateSIToFP(divisor, exact) : builder.CreateUIToFP(divisor, exact);
  Type* bits = builder.getIntNTy(exact->getPrimitiveSizeInBits());
  Value* nearest = builder.CreateBitCast(builder.CreateFDiv(ConstantFP::get(exact, 1), number), bits);
  return builder.CreateBitCast(builder.CreateAdd(nearest, ConstantInt::get(bits, 1)), exact, "above");
}

Value* quotient_by_reciprocal(IRBuilder<>& builder, bool is_signed, Value* dividend, Value* divisor) {
  Type *exact = builder.getDoubleTy(), *integer = builder.getInt64Ty();
  // Conversions of signed numbers of 64 bits are instructions everywhere.
  dividend = is_signed ? builder.CreateSExt(dividend, integer) : builder.CreateZExt(dividend, integer);
  Value* number = builder.CreateSIToFP(dividend, exact);
  Value* product = builder.CreateFMul(number, reciprocal_above(builder, is_signed, divisor, exact));
  return builder.CreateTrunc(builder.CreateFPToSI(product, integer), divisor->getType(), "quotient");
}

} // namespace falx::jit::simd
