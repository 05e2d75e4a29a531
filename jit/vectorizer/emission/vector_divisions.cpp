// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors have no division of integers. What divides the numbers of work-items by something that all share,
//   row = i / width; column = i % width;
// before:
//   %row = udiv i64 %i, %width                        ; %i: strided by 1
//   %column = urem i64 %i, %width
// after, for 16 lanes, where a width above 15 is passed once at the most:
//   %near = (%width > 15 and no lane of %i wraps)
//   br i1 %near, label %one.quotient, label %quotients
// one.quotient:
//   %first = udiv i64 %i.0, %width                    ; lane 0's
//   %rest = sub i64 %i.0, (mul %first, %width)
//   %passes = icmp uge <16 x i64> <0, 1, … 15>, splat(%width - %rest)
//   %row.0 = select <16 x i1> %passes, splat(%first + 1), splat(%first)
//   %column.0 = add (select <16 x i1> %passes, splat(%rest - %width), splat(%rest)), <0, 1, … 15>
// quotients:
//   … as all others
//
// Where the function begins, control/vector_parts knows quotients before; in loops, whose counters are part
// of the dividend, this takes a third of what the others take (Zen 5).
//
// All others are divided as doubles. Up to 32 bits these hold every number, and the quotient is exact, too:
// as far from the next integer as one over the divisor, which is more than rounding can do. So it is with 64
// bits as long as dividend and divisor are less than 2^52, which is asked; larger ones are divided lane by
// lane.

#include "vector_emission.hpp"
#include "vectorizer/control/vector_parts.hpp"

#include <llvm/IR/MDBuilder.h>

using namespace llvm;

namespace falx::jit::simd {

/// Of up to 32 bits.
static Value* quotient_of_doubles(IRBuilder<>& builder, bool is_signed, Value* dividend, Value* divisor) {
  Type* type = dividend->getType();
  Type* exact = type->getWithNewType(builder.getDoubleTy());
  const auto number = [&](Value* integer) {
    return is_signed ? builder.CreateSIToFP(integer, exact) : builder.CreateUIToFP(integer, exact);
  };
  Value* quotient = builder.CreateFDiv(number(dividend), number(divisor));
  return is_signed ? builder.CreateFPToSI(quotient, type) : builder.CreateFPToUI(quotient, type);
}

/// The double 2^52, whose last bit counts ones: sums with it are the integers' bits, and the other way round.
constexpr std::uint64_t BITS_OF_2_TO_52 = 0x4330000000000000, TWO_TO_52 = std::uint64_t(1) << 52;

/// Of numbers of 64 bits less than 2^52.
static Value* quotient_of_small(IRBuilder<>& builder, Value* dividend, Value* divisor) {
  Type* type = dividend->getType();
  Type* exact = type->getWithNewType(builder.getDoubleTy());
  Value* bits = ConstantInt::get(type, BITS_OF_2_TO_52);
  Value* large = ConstantFP::get(exact, double(TWO_TO_52));
  const auto number = [&](Value* integer) {
    return builder.CreateFSub(builder.CreateBitCast(builder.CreateOr(integer, bits), exact), large);
  };
  Value* quotient = builder.CreateFDiv(number(dividend), number(divisor));
  // To the nearest integer, and back if that is above.
  Value* whole = builder.CreateFSub(builder.CreateFAdd(quotient, large), large);
  Value* less = builder.CreateFSub(whole, ConstantFP::get(exact, 1));
  whole = builder.CreateSelect(builder.CreateFCmpOGT(whole, quotient), less, whole);
  return builder.CreateXor(builder.CreateBitCast(builder.CreateFAdd(whole, large), type), bits);
}

/// Of numbers of 64 bits.
Value* vector_emission::quotient_of_long(bool is_signed, Value* dividend, Value* divisor) {
  const auto absolute = [&](Value* value) -> Value* {
    return is_signed ? builder_.CreateBinaryIntrinsic(Intrinsic::abs, value, builder_.getFalse()) : value;
  };
  Value *upper = absolute(dividend), *lower = absolute(divisor);
  Value* is_large =
      builder_.CreateICmpUGE(builder_.CreateOr(upper, lower), ConstantInt::get(upper->getType(), TWO_TO_52));
  const auto by_large = [&]() -> SmallVector<Value*, 2> {
    return {loops_.divide(is_signed ? Instruction::SDiv : Instruction::UDiv, dividend, divisor)};
  };
  const auto by_small = [&]() -> SmallVector<Value*, 2> {
    Value* exact = quotient_of_small(builder_, upper, lower);
    if (!is_signed)
      return {exact};
    Value* is_negative = builder_.CreateICmpSLT(builder_.CreateXor(dividend, divisor),
                                                Constant::getNullValue(upper->getType()));
    return {builder_.CreateSelect(is_negative, builder_.CreateNeg(exact), exact)};
  };
  return either(any(builder_.CreateLogicalAnd(mask_, is_large)),
                MDBuilder(builder_.getContext()).createUnlikelyBranchWeights(), {"large.quotients", by_large},
                {"small.quotients", by_small}, "quotients")
      .front();
}

vector_emission::divided vector_emission::divide(const BinaryOperator& division) {
  Value *dividend = values_.vector(division.getOperand(0)), *divisor = values_.vector(division.getOperand(1));
  // Zero divisors of inactive lanes must not trap.
  divisor = builder_.CreateSelect(mask_, divisor, values_.splat(ConstantInt::get(division.getType(), 1)));
  const unsigned bits = division.getType()->getIntegerBitWidth();
  Value* quotient = nullptr;
  if (bits == 64)
    quotient = quotient_of_long(is_signed(division), dividend, divisor);
  else if (bits <= 32)
    quotient = quotient_of_doubles(builder_, is_signed(division), dividend, divisor);
  else
    quotient =
        builder_.CreateBinOp(is_signed(division) ? Instruction::SDiv : Instruction::UDiv, dividend, divisor);
  return {quotient, builder_.CreateSub(dividend, builder_.CreateMul(quotient, divisor))};
}

/// How far the last lane's dividend is from the first one's, if they grow and all have one divisor.
static std::optional<std::uint64_t> width_of_dividends(const BinaryOperator& division,
                                                       const lane_shapes& shapes, unsigned lanes) {
  const lane_shape shape = shapes[division.getOperand(0)];
  const unsigned bits = division.getType()->getIntegerBitWidth();
  if (!shape.is_progression() || shape.stride <= 0 || !shapes[division.getOperand(1)].is_uniform() ||
      bits > 64)
    return std::nullopt;
  const bool fits = std::uint64_t(shape.stride) < (std::uint64_t(1) << (bits - 1)) / lanes;
  return fits ? std::optional(std::uint64_t(shape.stride) * (lanes - 1)) : std::nullopt;
}

/// Dividends of no more than one quotient and the next, if it turns out that way.
vector_emission::divided vector_emission::divide_near(const BinaryOperator& division, std::uint64_t width) {
  Type* type = division.getType();
  Value *first = values_.scalar(division.getOperand(0)), *divisor = values_.scalar(division.getOperand(1));
  // Without an active lane they may be anything.
  if (!has_active_lane_) {
    first = builder_.CreateFreeze(first);
    divisor = builder_.CreateFreeze(divisor);
  }
  const unsigned bits = type->getIntegerBitWidth();
  const APInt most = is_signed(division) ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  Value* distance = ConstantInt::get(type, width);
  // As unsigned numbers, these are not negative either.
  Value* is_near = builder_.CreateICmpULE(first, ConstantInt::get(type, most - APInt(bits, width)));
  is_near = builder_.CreateAnd(is_near, is_signed(division) ? builder_.CreateICmpSGT(divisor, distance)
                                                            : builder_.CreateICmpUGT(divisor, distance));
  const auto by_one = [&]() -> SmallVector<Value*, 2> {
    Value* offsets = values_.offsets(shapes_[division.getOperand(0)], type);
    Value* quotient = builder_.CreateUDiv(first, divisor);
    Value* rest = builder_.CreateSub(first, builder_.CreateMul(quotient, divisor));
    Value* passes = builder_.CreateICmpUGE(offsets, values_.splat(builder_.CreateSub(divisor, rest)));
    const auto chosen = [&](Value* next, Value* now) {
      return builder_.CreateSelect(passes, values_.splat(next), values_.splat(now));
    };
    return {chosen(builder_.CreateAdd(quotient, ConstantInt::get(type, 1)), quotient),
            builder_.CreateAdd(chosen(builder_.CreateSub(rest, divisor), rest), offsets)};
  };
  const auto by_all = [&]() -> SmallVector<Value*, 2> {
    const auto [quotient, rest] = divide(division);
    return {quotient, rest};
  };
  const SmallVector<Value*, 2> made =
      either(is_near, MDBuilder(builder_.getContext()).createLikelyBranchWeights(), {"one.quotient", by_one},
             {"quotients", by_all}, division.getName());
  return {made[0], made[1]};
}

Value* vector_emission::emit_division(BinaryOperator& division) {
  // Whatever the program allows its own sums, here nothing is.
  IRBuilder<>::FastMathFlagGuard guard(builder_);
  builder_.clearFastMathFlags();
  const auto* constant = dyn_cast<ConstantInt>(division.getOperand(1));
  if (constant != nullptr && !constant->isZero() && !constant->isMinusOne())
    return builder_.CreateBinOp(division.getOpcode(), values_.vector(division.getOperand(0)),
                                values_.vector(division.getOperand(1)));
  // Who asks for one often asks for the other.
  const division_key key = {division.getOperand(0), {division.getOperand(1), is_signed(division)}};
  auto known = divisions_.find(key);
  if (known == divisions_.end()) {
    const std::optional<std::uint64_t> width = width_of_dividends(division, shapes_, request_.lanes);
    known = divisions_.try_emplace(key, width ? divide_near(division, *width) : divide(division)).first;
  }
  return is_quotient(division) ? known->second.quotient : known->second.rest;
}

} // namespace falx::jit::simd
