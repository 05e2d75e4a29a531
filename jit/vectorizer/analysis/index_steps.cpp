// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (k = 0; k < n; ++k) sum += data[k * width + i % width]
// of floats, with i as the work-item's index: the address grows by 4 from work-item to work-item, and by
// 4 * width from iteration to iteration.

#include "index_steps.hpp"
#include "frontend/kernel_attributes.hpp"

#include <algorithm>

using namespace llvm;

namespace falx::jit {

/// The index, or what the group and the launch add to make an id of it: multiples of vectors, as a rule.
bool index_steps::is_id(const SCEV& value) {
  return of(value) == 1 && !SCEVExprContains(&value, [](const SCEV* part) {
           const auto* unknown = dyn_cast<SCEVUnknown>(part);
           return isa<SCEVAddRecExpr>(part) || (unknown != nullptr && !isa<Argument>(unknown->getValue()));
         });
}

index_steps::step index_steps::of_unknown(const Value& value) {
  if (&value == argument(work_item_, parameter::index_x) || &value == argument(work_item_, parameter::linear))
    return 1;
  // Vectors lie along x; private variables are laid out by element, then by lane.
  if (isa<Argument, AllocaInst>(value) || uniform_.is_uniform(&value))
    return 0;
  // Of unsigned divisions ScalarEvolution makes expressions.
  const auto* division = dyn_cast<BinaryOperator>(&value);
  if (division == nullptr ||
      (division->getOpcode() != Instruction::SDiv && division->getOpcode() != Instruction::SRem))
    return std::nullopt;
  const step dividend = to_next_item(*division->getOperand(0));
  const auto* constant = dyn_cast<ConstantInt>(division->getOperand(1));
  const step quotient = of_quotient(dividend, to_next_item(*division->getOperand(1)),
                                    constant != nullptr ? &constant->getValue() : nullptr);
  return quotient && division->getOpcode() == Instruction::SRem ? dividend : quotient;
}

/// Rows that hold whole vectors, or most of them.
index_steps::step index_steps::of_quotient(step dividend, step divisor, const APInt* constant) {
  if (!dividend || divisor != 0)
    return std::nullopt;
  const bool is_row =
      *dividend >= 0 && (constant == nullptr || constant->uge(std::uint64_t(*dividend) * lanes_));
  return is_row ? step(0) : std::nullopt;
}

index_steps::step index_steps::of_sum(ArrayRef<const SCEV*> parts) {
  std::int64_t sum = 0;
  for (const SCEV* part : parts) {
    const step of_part = of(*part);
    if (!of_part)
      return std::nullopt;
    sum += *of_part;
  }
  return sum;
}

index_steps::step index_steps::of_cast(const SCEVCastExpr& cast) {
  constexpr unsigned SELDOM_WRAPS = 32;
  const step of_operand = of(*cast.getOperand());
  const unsigned bits = unsigned(std::min(evolution_.getTypeSizeInBits(cast.getType()),
                                          evolution_.getTypeSizeInBits(cast.getOperand()->getType())));
  // The low bits of the index wrap between vectors, as these begin at multiples of their size.
  const bool wraps_between = is_id(*cast.getOperand()) && 1U << std::min(bits, 31U) >= lanes_;
  const bool is_cast_twice = isa<SCEVTruncateExpr>(cast.getOperand());
  return of_operand == 0 || bits >= SELDOM_WRAPS || wraps_between || is_cast_twice ? of_operand
                                                                                   : std::nullopt;
}

index_steps::step index_steps::of_product(const SCEVMulExpr& product) {
  std::int64_t factor = 1, growth = 0;
  bool is_constant = true;
  for (const SCEV* part : product.operands()) {
    const step of_part = of(*part);
    if (!of_part || (*of_part != 0 && growth != 0))
      return std::nullopt;
    if (*of_part != 0)
      growth = *of_part;
    else if (const auto* constant = dyn_cast<SCEVConstant>(part);
             constant != nullptr && constant->getAPInt().isSignedIntN(63))
      factor *= constant->getAPInt().getSExtValue();
    else
      is_constant = false;
  }
  if (growth == 0)
    return 0;
  return is_constant ? step(growth * factor) : std::nullopt;
}

index_steps::step index_steps::of(const SCEV& value) {
  if (isa<SCEVConstant, SCEVVScale>(value))
    return 0;
  if (const auto* unknown = dyn_cast<SCEVUnknown>(&value))
    return of_unknown(*unknown->getValue());
  if (const auto* sum = dyn_cast<SCEVAddExpr>(&value))
    return of_sum(sum->operands());
  if (const auto* cast = dyn_cast<SCEVCastExpr>(&value))
    return of_cast(*cast);
  if (const auto* quotient = dyn_cast<SCEVUDivExpr>(&value)) {
    const auto* constant = dyn_cast<SCEVConstant>(quotient->getRHS());
    return of_quotient(of(*quotient->getLHS()), of(*quotient->getRHS()),
                       constant != nullptr ? &constant->getAPInt() : nullptr);
  }
  if (const auto* product = dyn_cast<SCEVMulExpr>(&value))
    return of_product(*product);
  const auto is_same = [&](const SCEV* part) { return of(*part) == 0; };
  if (const auto* counter = dyn_cast<SCEVAddRecExpr>(&value))
    return all_of(drop_begin(counter->operands()), is_same) ? of(*counter->getStart()) : std::nullopt;
  if (const auto* least = dyn_cast<SCEVNAryExpr>(&value))
    return all_of(least->operands(), is_same) ? step(0) : std::nullopt;
  return std::nullopt;
}

std::optional<std::int64_t> index_steps::to_next_item(const Value& value) {
  if (uniform_.is_uniform(&value))
    return 0;
  if (!evolution_.isSCEVable(value.getType()))
    return std::nullopt;
  return of(*evolution_.getSCEV(const_cast<Value*>(&value)));
}

const SCEV* index_steps::to_next_iteration(const Value& value, const Loop& loop) {
  const SCEV* whole = evolution_.getSCEV(const_cast<Value*>(&value));
  SmallVector<const SCEV*, 4> parts = {whole};
  if (const auto* sum = dyn_cast<SCEVAddExpr>(whole))
    parts.assign(sum->operands().begin(), sum->operands().end());
  for (const SCEV* part : parts)
    if (const auto* progression = dyn_cast<SCEVAddRecExpr>(part);
        progression != nullptr && progression->getLoop() == &loop)
      return progression->getStepRecurrence(evolution_);
  return nullptr;
}

} // namespace falx::jit
