// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "least_value.hpp"

#include <llvm/ADT/APFloat.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;

namespace falx::jit {

static constexpr unsigned MAX_DEPTH = 6;
static constexpr double UNKNOWN = -std::numeric_limits<double>::infinity();

static double least(const Value& value, unsigned depth);

/// A bound on what the program's own arithmetic makes of \p number, which may be off by the error of
/// rounding. Small positive numbers count as zero, as that error can be as large as they are.
static double rounded(double number, const Type& type) {
  if (std::isnan(number))
    return UNKNOWN;
  return number > 0 && number < (type.isFloatTy() ? 0x1p-110 : 0x1p-1010) ? 0 : number;
}

static double least_of_product(const Value& a, const Value& b, const Type& type, unsigned depth) {
  const double least_a = least(a, depth), least_b = least(b, depth);
  if (least_a >= 0 && least_b >= 0)
    return rounded(least_a * least_b, type);
  return &a == &b ? 0 : UNKNOWN;
}

static double least_of_call(const IntrinsicInst& call, unsigned depth) {
  const auto operand = [&](unsigned i) -> const Value& { return *call.getArgOperand(i); };
  switch (call.getIntrinsicID()) {
  case Intrinsic::fabs:
    return std::max(0.0, least(operand(0), depth));
  case Intrinsic::sqrt:
  case Intrinsic::exp:
  case Intrinsic::exp2:
    return 0;
  case Intrinsic::fma:
  case Intrinsic::fmuladd: {
    const double product = least_of_product(operand(0), operand(1), *call.getType(), depth);
    return rounded(product + least(operand(2), depth), *call.getType());
  }
  case Intrinsic::maxnum: // of a number and something that is none, the number
    return std::min(least(operand(0), depth), least(operand(1), depth));
  default:
    return UNKNOWN;
  }
}

static double least(const Value& value, unsigned depth) {
  if (const auto* constant = dyn_cast<ConstantFP>(&value)) {
    APFloat number = constant->getValueAPF();
    bool loses = false;
    number.convert(APFloat::IEEEdouble(), APFloat::rmTowardNegative, &loses);
    return number.isNaN() ? std::numeric_limits<double>::infinity() : number.convertToDouble();
  }
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (instruction == nullptr || depth == MAX_DEPTH)
    return UNKNOWN;
  const Type& type = *instruction->getType();
  if (!type.isFloatTy() && !type.isDoubleTy())
    return UNKNOWN;
  if (const auto* call = dyn_cast<IntrinsicInst>(instruction))
    return least_of_call(*call, depth + 1);
  const auto operand = [&](unsigned i) -> const Value& { return *instruction->getOperand(i); };
  switch (instruction->getOpcode()) {
  case Instruction::FAdd:
    return rounded(least(operand(0), depth + 1) + least(operand(1), depth + 1), type);
  case Instruction::FMul:
    return least_of_product(operand(0), operand(1), type, depth + 1);
  case Instruction::FPExt:
    return least(operand(0), depth + 1);
  case Instruction::UIToFP:
    return 0;
  case Instruction::Select:
    return std::min(least(operand(1), depth + 1), least(operand(2), depth + 1));
  default:
    return UNKNOWN;
  }
}

double least_value(const Value& value) {
  return least(value, 0);
}

} // namespace falx::jit
