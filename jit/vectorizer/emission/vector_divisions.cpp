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
// Where the function begins, control/vector_parts knows quotients before.
//
// All others are divided as floating-point numbers: as doubles, or as floats where the dividend is known to
// have few bits. The exact quotient is as far from the next integer as one over the divisor, which is more
// than rounding can do to it. Numbers that all lanes are divided by have their reciprocal (reciprocals.hpp).
//
// Of 64 bits, dividends are to be small enough for that, which is asked; others are divided lane by lane, or
// by a constant as LLVM does it, whose products of 64 bits take three times as long.

#include "reciprocals.hpp"
#include "vector_emission.hpp"
#include "vectorizer/analysis/integer_divisions.hpp"
#include "vectorizer/cost/cost_model.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/MDBuilder.h>

using namespace llvm;

namespace falx::jit::simd {

/// Whatever \p value is, its magnitude has no more than \p bits bits.
static bool has_few_bits(const Value& value, bool is_signed, unsigned bits, const DataLayout& layout) {
  if (is_signed)
    return ComputeMaxSignificantBits(&value, layout) <= bits;
  return computeKnownBits(&value, layout).countMaxActiveBits() <= bits;
}

namespace {

/// Integers of up to 32 bits as floating-point numbers and back.
class short_integers {
public:
  /// \p exact: the vector of numbers. \p are_native: of unsigned integers, too.
  short_integers(IRBuilder<>& builder, Type* exact, bool are_native)
      : builder_(builder), exact_(exact), has_unsigned_(are_native || exact->getScalarType()->isFloatTy()) {}

  Value* to_number(Value* integer, bool is_signed) const {
    if (is_signed)
      return builder_.CreateSIToFP(integer, exact_);
    if (has_unsigned_ || integer->getType()->getScalarSizeInBits() < 32)
      return builder_.CreateUIToFP(integer, exact_);
    return builder_.CreateFAdd(builder_.CreateSIToFP(less_half(integer), exact_), half());
  }
  Value* to_integer(Value* number, bool is_signed, Type* type) const {
    if (is_signed)
      return builder_.CreateFPToSI(number, type);
    if (has_unsigned_ || type->getScalarSizeInBits() < 32)
      return builder_.CreateFPToUI(number, type);
    Value* whole = builder_.CreateUnaryIntrinsic(Intrinsic::trunc, number);
    return less_half(builder_.CreateFPToSI(builder_.CreateFSub(whole, half()), type));
  }

private:
  Constant* half() const { return ConstantFP::get(exact_, 0x1p31); }
  Value* less_half(Value* integer) const {
    return builder_.CreateXor(integer, ConstantInt::get(integer->getType(), APInt::getSignMask(32)));
  }

  IRBuilder<>& builder_;
  Type* exact_;
  bool has_unsigned_;
};

} // namespace

/// Of up to 32 bits.
Value* vector_emission::quotient_of_short(const BinaryOperator& division, Value* dividend,
                                          const common_divisor& divisor) {
  const DataLayout& layout = division.getDataLayout();
  const bool are_signed = is_signed(division);
  Type* element = has_few_bits(*division.getOperand(0), are_signed, BITS_OF_FLOATS, layout)
                      ? builder_.getFloatTy()
                      : builder_.getDoubleTy();
  Type* exact = dividend->getType()->getWithNewType(element);
  const short_integers integers(builder_, exact, request_.converts_unsigned);
  const auto converts_signed = [&](unsigned operand) {
    return are_signed || isKnownNonNegative(division.getOperand(operand), layout);
  };
  Value *number = integers.to_number(dividend, converts_signed(0)), *quotient = nullptr;
  if (divisor.scalar != nullptr)
    quotient = builder_.CreateFMul(
        number, values_.splat(reciprocal_above(builder_, are_signed, divisor.scalar, element)));
  else
    quotient = builder_.CreateFDiv(number, integers.to_number(divisor.vector, converts_signed(1)));
  return integers.to_integer(quotient, converts_signed(0), dividend->getType());
}

namespace {

/// Integers of 64 bits as doubles and back, if their magnitude is less than 2^50, by what all vectors have:
/// the last bit of 2^52 counts ones, so that sums with it are the integers' bits.
class small_integers {
public:
  small_integers(IRBuilder<>& builder, bool is_signed, Type* integers)
      : builder_(builder), integers_(integers), doubles_(integers->getWithNewType(builder.getDoubleTy())) {
    const double large = is_signed ? 0x1.8p52 : 0x1p52;
    large_ = ConstantFP::get(doubles_, large);
    bits_ = ConstantInt::get(integers, bit_cast<std::uint64_t>(large));
  }
  Value* to_double(Value* integer) const {
    return builder_.CreateFSub(builder_.CreateBitCast(builder_.CreateAdd(integer, bits_), doubles_), large_);
  }
  /// \p whole: a double that is an integer.
  Value* to_integer(Value* whole) const {
    return builder_.CreateSub(builder_.CreateBitCast(builder_.CreateFAdd(whole, large_), integers_), bits_);
  }
  /// The magnitude of some lane of \p integer may be 2^50 or more.
  Value* are_large(Value* integer, bool is_signed) const {
    const auto number = [&](std::uint64_t value) { return ConstantInt::get(integers_, value); };
    const std::uint64_t end = std::uint64_t(1) << BITS_OF_DOUBLES;
    return is_signed ? builder_.CreateICmpUGE(builder_.CreateAdd(integer, number(end)), number(2 * end))
                     : builder_.CreateICmpUGE(integer, number(end));
  }

private:
  IRBuilder<>& builder_;
  Type *integers_, *doubles_;
  Constant *large_ = nullptr, *bits_ = nullptr;
};

} // namespace

/// 1 in inactive lanes, whose quotients must not trap.
Value* vector_emission::divisor_of_active(Value* divisor) {
  return builder_.CreateSelect(mask_, divisor, ConstantInt::get(divisor->getType(), 1));
}

/// Of 64 bits.
vector_emission::divided vector_emission::divide_long(const BinaryOperator& division, Value* dividend,
                                                      const common_divisor& divisor) {
  const bool are_signed = is_signed(division);
  const small_integers small(builder_, are_signed, dividend->getType());
  const auto by_small = [&]() -> SmallVector<Value*, 2> {
    Value *number = small.to_double(dividend), *by = nullptr, *quotient = nullptr;
    if (divisor.scalar != nullptr) {
      Type* element = builder_.getDoubleTy();
      by = values_.splat(are_signed ? builder_.CreateSIToFP(divisor.scalar, element)
                                    : builder_.CreateUIToFP(divisor.scalar, element));
      quotient = builder_.CreateFMul(
          number, values_.splat(reciprocal_above(builder_, are_signed, divisor.scalar, element)));
    } else {
      by = small.to_double(divisor.vector);
      quotient = builder_.CreateFDiv(number, by);
    }
    quotient = builder_.CreateUnaryIntrinsic(Intrinsic::trunc, quotient);
    // Exact: the product is no larger than the dividend.
    Value* rest = builder_.CreateFSub(number, builder_.CreateFMul(quotient, by));
    return {small.to_integer(quotient), small.to_integer(rest)};
  };
  const auto by_large = [&]() -> SmallVector<Value*, 2> {
    const Instruction::BinaryOps divide = are_signed ? Instruction::SDiv : Instruction::UDiv;
    const auto* constant = dyn_cast_or_null<ConstantInt>(divisor.scalar);
    Value* quotient = constant != nullptr && !constant->isMinusOne()
                          ? builder_.CreateBinOp(divide, dividend, divisor.vector)
                          : loops_.divide(divide, dividend, divisor_of_active(divisor.vector));
    return {quotient, builder_.CreateSub(dividend, builder_.CreateMul(quotient, divisor.vector))};
  };
  const bool divides_small =
      has_few_bits(*division.getOperand(0), are_signed, BITS_OF_DOUBLES, division.getDataLayout());
  Value* is_large = divides_small ? nullptr : small.are_large(dividend, are_signed);
  if (divisor.scalar == nullptr) {
    Value* is_large_divisor = small.are_large(divisor.vector, are_signed);
    is_large = is_large == nullptr ? is_large_divisor : builder_.CreateOr(is_large, is_large_divisor);
  }
  SmallVector<Value*, 2> made;
  if (is_large == nullptr)
    made = by_small();
  else
    made = either(any(builder_.CreateLogicalAnd(mask_, is_large)),
                  MDBuilder(builder_.getContext()).createUnlikelyBranchWeights(),
                  {"large.quotients", by_large}, {"small.quotients", by_small}, "quotients");
  return {made[0], made[1]};
}

vector_emission::divided vector_emission::divide(const BinaryOperator& division) {
  Value* dividend = values_.vector(division.getOperand(0));
  const unsigned bits = division.getType()->getIntegerBitWidth();
  common_divisor divisor{};
  if (shapes_[division.getOperand(1)].is_uniform() && (bits <= 32 || bits == 64)) {
    divisor.scalar = values_.scalar(division.getOperand(1));
    if (!has_active_lane_)
      divisor.scalar = builder_.CreateFreeze(divisor.scalar);
    // A zero that no lane divides by has no reciprocal.
    divisor.scalar = builder_.CreateSelect(builder_.CreateIsNull(divisor.scalar),
                                           ConstantInt::get(division.getType(), 1), divisor.scalar);
    divisor.vector = values_.splat(divisor.scalar);
  } else
    divisor.vector = divisor_of_active(values_.vector(division.getOperand(1)));
  if (bits == 64)
    return divide_long(division, dividend, divisor);
  Value* quotient = bits <= 32
                        ? quotient_of_short(division, dividend, divisor)
                        : builder_.CreateBinOp(is_signed(division) ? Instruction::SDiv : Instruction::UDiv,
                                               dividend, divisor.vector);
  return {quotient, builder_.CreateSub(dividend, builder_.CreateMul(quotient, divisor.vector))};
}

/// How far the last lane's dividend is from the first one's, if they grow and all have one divisor, and if
/// lane 0's quotient takes less than those of all: of 64 bits, or where conversions of unsigned numbers are
/// long.
static std::optional<std::uint64_t>
width_of_dividends(const BinaryOperator& division, const lane_shapes& shapes, const vector_request& request) {
  const lane_shape shape = shapes[division.getOperand(0)];
  const unsigned bits = division.getType()->getIntegerBitWidth();
  const bool is_long = bits == 64 || (bits == 32 && !request.converts_unsigned && !is_signed(division) &&
                                      !isKnownNonNegative(division.getOperand(0), division.getDataLayout()));
  if (!is_long || !shape.is_progression() || shape.stride <= 0 ||
      !shapes[division.getOperand(1)].is_uniform())
    return std::nullopt;
  const bool fits = std::uint64_t(shape.stride) < (std::uint64_t(1) << (bits - 1)) / request.lanes;
  return fits ? std::optional(std::uint64_t(shape.stride) * (request.lanes - 1)) : std::nullopt;
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
  if (is_product_by_constant(division))
    return builder_.CreateBinOp(division.getOpcode(), values_.vector(division.getOperand(0)),
                                values_.vector(division.getOperand(1)));
  // Who asks for one often asks for the other.
  const division_key key = {division.getOperand(0), {division.getOperand(1), is_signed(division)}};
  auto known = divisions_.find(key);
  if (known == divisions_.end()) {
    const std::optional<std::uint64_t> width = width_of_dividends(division, shapes_, request_);
    known = divisions_.try_emplace(key, width ? divide_near(division, *width) : divide(division)).first;
  }
  return is_quotient(division) ? known->second.quotient : known->second.rest;
}

} // namespace falx::jit::simd
