// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "float_ranges.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace falx::jit {

/// From zero to infinity. Roots of negative zero are that.
static ConstantFPRange not_negative(const fltSemantics& semantics, bool has_negative_zero) {
  return ConstantFPRange::getMayBeNaN(APFloat::getZero(semantics, has_negative_zero),
                                      APFloat::getInf(semantics));
}

/// As it is before it is rounded, in a sum that it may be fused with: rounded products that are not zero are
/// one number off at most.
static ConstantFPRange product(const Value& a, const Value& b, unsigned depth) {
  const ConstantFPRange left = float_range_of(a, depth), right = float_range_of(b, depth);
  const ConstantFPRange rounded = &a == &b ? left.abs().mul(left.abs()) : left.mul(right);
  APFloat lower = rounded.getLower(), upper = rounded.getUpper();
  if (!lower.isZero() && lower <= upper)
    lower.next(/*nextDown=*/true);
  if (!upper.isZero() && lower <= upper)
    upper.next(/*nextDown=*/false);
  return ConstantFPRange(lower, upper, rounded.containsQNaN(), rounded.containsSNaN());
}

static ConstantFPRange range_of_call(const IntrinsicInst& call, unsigned depth) {
  const auto operand = [&](unsigned i) { return float_range_of(*call.getArgOperand(i), depth); };
  const fltSemantics& semantics = call.getType()->getFltSemantics();
  switch (call.getIntrinsicID()) {
  case Intrinsic::fabs:
    return operand(0).abs();
  case Intrinsic::sqrt:
    return not_negative(semantics, /*has_negative_zero=*/true);
  case Intrinsic::exp:
  case Intrinsic::exp2:
    return not_negative(semantics, /*has_negative_zero=*/false);
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return product(*call.getArgOperand(0), *call.getArgOperand(1), depth).add(operand(2));
  case Intrinsic::maxnum: // of a number and something that is none, the number
    return operand(0).unionWith(operand(1));
  default:
    return ConstantFPRange::getFull(semantics);
  }
}

ConstantFPRange float_range_of(const Value& value, unsigned depth) {
  if (const auto* constant = dyn_cast<ConstantFP>(&value);
      constant != nullptr && !value.getType()->isVectorTy())
    return ConstantFPRange(constant->getValueAPF());
  const fltSemantics& semantics = value.getType()->getScalarType()->getFltSemantics();
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (instruction == nullptr || value.getType()->isVectorTy() || depth++ == MaxAnalysisRecursionDepth)
    return ConstantFPRange::getFull(semantics);
  if (const auto* call = dyn_cast<IntrinsicInst>(instruction))
    return range_of_call(*call, depth);
  const auto operand = [&](unsigned i) { return float_range_of(*instruction->getOperand(i), depth); };
  switch (instruction->getOpcode()) {
  case Instruction::FAdd:
    return operand(0).add(operand(1));
  case Instruction::FMul:
    return product(*instruction->getOperand(0), *instruction->getOperand(1), depth);
  case Instruction::FPExt:
    return operand(0).cast(semantics);
  case Instruction::UIToFP:
    return not_negative(semantics, /*has_negative_zero=*/false);
  case Instruction::Select:
    return operand(1).unionWith(operand(2));
  default:
    return ConstantFPRange::getFull(semantics);
  }
}

} // namespace falx::jit
