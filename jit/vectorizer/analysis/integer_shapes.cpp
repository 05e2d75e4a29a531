// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes of what is computed from numbers. Of i, for 16 lanes with i = base + lane and a base that is a
// multiple of 16:
//   %column = and i32 %i, 255                                   ; strided by 1, below 256 - 15
//   %row = lshr i32 %i, 8                                       ; uniform
//   %pair = xor i32 %i, 1                                       ; tabulated: 1, 0, 3, 2, …
//   %wide = zext i32 %i to i64                                  ; strided by 1, as no lane wraps

#include "integer_divisions.hpp"
#include "lane_shapes.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace falx::jit::simd {

/// As much of the shape of a number as its type has room for. What does not leave a block of aligned numbers
/// does not wrap.
lane_shape lane_shapes::in_width(lane_shape shape, const Type& type) const {
  if (!shape.is_scalar() || !type.isIntegerTy())
    return shape;
  shape.alignment = std::uint8_t(std::min<unsigned>(shape.alignment, type.getIntegerBitWidth() - 1));
  if (shape.is_in_block(lanes_))
    shape.exact_signed = shape.exact_unsigned = true;
  return shape;
}

/// With these distances from lane 0's value, else like \p rest.
lane_shape lane_shapes::with_offsets(function_ref<std::int64_t(unsigned)> offset_of,
                                     const lane_shape& rest) const {
  const lane_shape progression =
      lane_shape::strided(offset_of(1), rest.exact_signed, rest.exact_unsigned, rest.alignment);
  const auto is_in_step = [&](unsigned lane) { return offset_of(lane) == progression.offset_of(lane); };
  if (all_of(seq(lanes_), is_in_step))
    return progression;
  std::vector<std::int64_t> of_lane(lanes_);
  for (unsigned lane = 0; lane < lanes_; ++lane)
    of_lane[lane] = offset_of(lane);
  lane_shape result = progression;
  result.what = lane_shape::kind::tabulated;
  result.exact_signed = rest.exact_signed;
  result.exact_unsigned = rest.exact_unsigned;
  result.stride = 0;
  result.offsets = &*offsets_.emplace(std::move(of_lane)).first;
  return result;
}

lane_shape lane_shapes::of_binary(const BinaryOperator& binary) const {
  const lane_shape left = (*this)[binary.getOperand(0)], right = (*this)[binary.getOperand(1)];
  if (left.what == lane_shape::kind::undefined || right.what == lane_shape::kind::undefined)
    return {};
  if (left.is_scalar() && right.is_scalar() && binary.getType()->isIntegerTy() &&
      binary.getType()->getIntegerBitWidth() <= 64) {
    lane_shape shape = of_integers(binary, left, right);
    if (shape.is_varying() && graph_ == nullptr && binary.isIntDivRem())
      shape = of_likely_quotient(binary, left, right);
    if (shape.is_scalar())
      return in_width(shape, *binary.getType());
  }
  return left.is_uniform() && right.is_uniform() ? lane_shape::uniform() : lane_shape::varying();
}

lane_shape lane_shapes::of_integers(const BinaryOperator& binary, lane_shape left, lane_shape right) const {
  const auto* no_wrap = dyn_cast<OverflowingBinaryOperator>(&binary);
  const bool is_exact_signed =
      left.exact_signed && right.exact_signed && (no_wrap == nullptr || no_wrap->hasNoSignedWrap());
  const bool is_exact_unsigned =
      left.exact_unsigned && right.exact_unsigned && (no_wrap == nullptr || no_wrap->hasNoUnsignedWrap());
  // Offsets are numbers modulo 2^64, as values are: only what is exact must not wrap, and its flags say so.
  const auto combined = [&](unsigned alignment,
                            function_ref<std::uint64_t(std::uint64_t, std::uint64_t)> both) {
    return with_offsets(
        [&](unsigned lane) {
          return std::int64_t(
              both(std::uint64_t(left.offset_of(lane)), std::uint64_t(right.offset_of(lane))));
        },
        lane_shape::strided(1, is_exact_signed, is_exact_unsigned, std::min(alignment, 63U)));
  };
  const auto sum = [](std::uint64_t a, std::uint64_t b) { return a + b; };
  const unsigned least = std::min(left.alignment, right.alignment);
  const auto* factor = dyn_cast<ConstantInt>(binary.getOperand(1));
  switch (binary.getOpcode()) {
  case Instruction::Add:
    // Twice the same, which a shift would say better.
    return combined(binary.getOperand(0) == binary.getOperand(1) ? least + 1 : least, sum);
  case Instruction::Sub:
    return combined(least, [](std::uint64_t a, std::uint64_t b) { return a - b; });
  case Instruction::Mul:
    if (left.is_uniform() && right.is_uniform())
      return lane_shape::uniform(std::min(left.alignment + right.alignment, 63));
    if (factor != nullptr) {
      lane_shape result = combined(left.alignment + right.alignment, [&](std::uint64_t a, std::uint64_t) {
        return a * std::uint64_t(factor->getSExtValue());
      });
      result.exact_unsigned &= result.is_uniform() || !factor->isNegative();
      return result;
    }
    break;
  case Instruction::Shl:
    if (factor != nullptr && factor->getValue().ult(64))
      return combined(left.alignment + unsigned(factor->getZExtValue()),
                      [&](std::uint64_t a, std::uint64_t) { return a << factor->getZExtValue(); });
    break;
  case Instruction::Or:
    // A sum without carries, which so never wraps.
    if (cast<PossiblyDisjointInst>(binary).isDisjoint() && (left.is_uniform() || right.is_uniform()))
      return combined(least, sum);
    break;
  default:
    break;
  }
  return of_bits(binary, left, right);
}

/// What bit operations do to numbers within an aligned block: the bits in which lanes differ are all zero in
/// the base.
lane_shape lane_shapes::of_bits(const BinaryOperator& binary, lane_shape left, lane_shape right) const {
  const auto* constant = dyn_cast<ConstantInt>(binary.getOperand(1));
  switch (binary.getOpcode()) {
  case Instruction::And:
    if (left.is_uniform() && right.is_uniform())
      return lane_shape::uniform(std::max(left.alignment, right.alignment));
    [[fallthrough]];
  case Instruction::Xor:
    if (constant != nullptr && constant->isMinusOne() && binary.getOpcode() == Instruction::Xor) {
      lane_shape result = with_offsets(
          [&](unsigned lane) { return std::int64_t(0 - std::uint64_t(left.offset_of(lane))); }, left);
      result.alignment = 0;
      return result;
    }
    if (right.is_uniform())
      return of_mask(binary, left, *binary.getOperand(1));
    return left.is_uniform() ? of_mask(binary, right, *binary.getOperand(0)) : lane_shape::varying();
  case Instruction::AShr:
    if (const lane_shape shape = of_shifted_extension(binary); shape.is_scalar())
      return shape;
    [[fallthrough]];
  case Instruction::LShr:
    return constant != nullptr && constant->getValue().ult(63)
               ? of_shift(left, unsigned(constant->getZExtValue()))
               : lane_shape::varying();
  case Instruction::UDiv:
  case Instruction::URem:
    return constant != nullptr ? of_quotient(binary, left, *constant) : lane_shape::varying();
  default:
    return lane_shape::varying();
  }
}

/// Bits that are the same for all lanes decide which of the lanes' own stay (and) or turn over (xor), as far
/// as they are known.
lane_shape lane_shapes::of_mask(const BinaryOperator& binary, lane_shape bits, const Value& mask) const {
  if (bits.is_uniform() || !bits.is_in_block(lanes_))
    return lane_shape::varying();
  std::uint64_t greatest = 0;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    greatest = std::max(greatest, std::uint64_t(bits.offset_of(lane)));
  const unsigned needed = 64 - unsigned(countl_zero(greatest));
  const KnownBits known = computeKnownBits(&mask, binary.getDataLayout());
  assert(needed != 0 && needed <= known.getBitWidth() && "lanes differ in bits that the type does not have");
  if (!(known.Zero | known.One).trunc(needed).isAllOnes())
    return lane_shape::varying();
  const std::uint64_t own = known.One.trunc(needed).getZExtValue();
  const unsigned zeros = known.countMinTrailingZeros();
  if (binary.getOpcode() == Instruction::And)
    return with_offsets(
        [&](unsigned lane) { return std::int64_t(std::uint64_t(bits.offset_of(lane)) & own); },
        lane_shape::strided(1, false, false, std::max<unsigned>(bits.alignment, zeros)));
  return with_offsets(
      [&](unsigned lane) { return std::int64_t((std::uint64_t(bits.offset_of(lane)) ^ own) - own); },
      lane_shape::strided(1, false, false, std::min<unsigned>(bits.alignment, zeros)));
}

lane_shape lane_shapes::of_shift(lane_shape left, unsigned shift) const {
  const unsigned alignment = left.alignment > shift ? left.alignment - shift : 0;
  if (left.is_uniform())
    return lane_shape::uniform(alignment);
  if (!left.is_in_block(lanes_))
    return lane_shape::varying();
  return with_offsets([&](unsigned lane) { return left.offset_of(lane) >> shift; },
                      lane_shape::strided(1, false, false, alignment));
}

/// InstCombine's form of a number that is cut off, extended with its sign, and multiplied by the size of an
/// element: shl by 32, then ashr by 30. Numbers within a block have the same sign.
lane_shape lane_shapes::of_shifted_extension(const BinaryOperator& shift) const {
  const Value* whole = nullptr;
  const APInt *up = nullptr, *down = nullptr;
  if (!match(&shift, m_AShr(m_Shl(m_Value(whole), m_APInt(up)), m_APInt(down))) || down->ugt(*up) ||
      up->uge(shift.getType()->getIntegerBitWidth()))
    return lane_shape::varying();
  const lane_shape shape = (*this)[whole];
  const unsigned kept = shift.getType()->getIntegerBitWidth() - unsigned(up->getZExtValue());
  const unsigned left = unsigned((*up - *down).getZExtValue());
  if (!shape.is_scalar() || shape.is_uniform() || !shape.is_in_block(lanes_, kept - 1))
    return lane_shape::varying();
  return with_offsets(
      [&](unsigned lane) { return std::int64_t(std::uint64_t(shape.offset_of(lane)) << left); },
      lane_shape::strided(1, true, false, std::min(63U, std::min<unsigned>(shape.alignment, kept) + left)));
}

/// Where the divisor is a multiple of their block, numbers have the same quotient, and their remainders are a
/// block again.
lane_shape lane_shapes::of_quotient(const BinaryOperator& binary, lane_shape left,
                                    const ConstantInt& divisor) const {
  const unsigned zeros = divisor.getValue().countr_zero();
  if (divisor.isZero() || !left.is_in_block(lanes_, zeros))
    return lane_shape::varying();
  if (binary.getOpcode() == Instruction::UDiv)
    return lane_shape::uniform();
  left.alignment = std::uint8_t(std::min<unsigned>(left.alignment, zeros));
  return left;
}

/// Rows hold whole vectors, or most of them.
lane_shape lane_shapes::of_likely_quotient(const BinaryOperator& binary, lane_shape left,
                                           lane_shape right) const {
  const auto* divisor = dyn_cast<ConstantInt>(binary.getOperand(1));
  if (!left.is_progression() || left.stride < 0 || !right.is_uniform() ||
      (divisor != nullptr && divisor->getValue().ult(std::uint64_t(left.stride) * lanes_)))
    return lane_shape::varying();
  if (is_quotient(binary))
    return lane_shape::uniform();
  left.alignment = 0;
  return left;
}

/// Is \p left < \p right the same for all lanes? It is if left's block ends at right or before, or begins
/// there or behind.
static bool compares_as_block(lane_shape left, lane_shape right, unsigned lanes) {
  return right.is_uniform() && left.is_in_block(lanes, right.alignment);
}

lane_shape lane_shapes::of_comparison(const ICmpInst& compare) const {
  lane_shape left = (*this)[compare.getOperand(0)], right = (*this)[compare.getOperand(1)];
  ICmpInst::Predicate predicate = compare.getPredicate();
  const Value* bound = compare.getOperand(1);
  if (left.is_uniform() && !right.is_uniform()) {
    std::swap(left, right);
    predicate = ICmpInst::getSwappedPredicate(predicate);
    bound = compare.getOperand(0);
  }
  // What is as far from lane 0's on both sides does not decide, unless one side wraps.
  const bool is_exact = compare.isSigned() ? left.exact_signed && right.exact_signed
                                           : left.exact_unsigned && right.exact_unsigned;
  if (left.is_scalar() && left.has_offsets_of(right) && (compare.isEquality() || is_exact))
    return lane_shape::uniform();
  if (ICmpInst::isLT(predicate) || ICmpInst::isGE(predicate)) {
    if (compares_as_block(left, right, lanes_))
      return lane_shape::uniform();
  } else if (const auto* number = dyn_cast<ConstantInt>(bound);
             number != nullptr && (ICmpInst::isGT(predicate) || ICmpInst::isLE(predicate))) {
    // x > c is x >= c + 1, where that does not wrap.
    const APInt next = number->getValue() + 1;
    const bool wraps = ICmpInst::isSigned(predicate) ? next.isMinSignedValue() : next.isZero();
    if (!wraps && compares_as_block(left, lane_shape::uniform(std::min(next.countr_zero(), 63U)), lanes_))
      return lane_shape::uniform();
  }
  return otherwise(compare);
}

lane_shape lane_shapes::of_cast(const CastInst& cast) const {
  const lane_shape from = (*this)[cast.getOperand(0)];
  const bool is_number = cast.getSrcTy()->isIntegerTy() && cast.getDestTy()->isIntegerTy();
  if (!from.is_scalar() || (from.is_uniform() && !is_number))
    return from.is_uniform() ? lane_shape::uniform() : from;
  if (!from.is_uniform() && is_number && cast.getDestTy()->getIntegerBitWidth() > 64)
    return lane_shape::varying();
  const auto strided = [&](bool exact_signed, bool exact_unsigned) {
    lane_shape result = from;
    result.exact_signed = exact_signed || from.is_uniform();
    result.exact_unsigned = exact_unsigned || from.is_uniform();
    return in_width(result, *cast.getDestTy());
  };
  const bool seldom_wraps = graph_ == nullptr && cast.getSrcTy()->getScalarSizeInBits() >= 32;
  switch (cast.getOpcode()) {
  case Instruction::SExt:
    return from.exact_signed || seldom_wraps ? strided(true, false) : lane_shape::varying();
  case Instruction::ZExt:
    return from.exact_unsigned || seldom_wraps || (from.exact_signed && cast.hasNonNeg())
               ? strided(true, true)
               : lane_shape::varying();
  case Instruction::Trunc: {
    const auto& trunc = llvm::cast<TruncInst>(cast);
    return trunc.getType()->getIntegerBitWidth() < 8 && !from.is_uniform()
               ? lane_shape::varying()
               : strided(trunc.hasNoSignedWrap() && from.exact_signed,
                         trunc.hasNoUnsignedWrap() && from.exact_unsigned);
  }
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    if (cast.getSrcTy()->getScalarSizeInBits() == cast.getDestTy()->getScalarSizeInBits() ||
        cast.isNoopCast(cast.getDataLayout())) {
      lane_shape result = from;
      result.exact_signed = result.exact_unsigned = false;
      result.alignment = 0;
      return result;
    }
    return lane_shape::varying();
  default:
    return from.is_uniform() ? lane_shape::uniform() : lane_shape::varying();
  }
}
} // namespace falx::jit::simd
