// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, in a loop from %k = -2 to 2:        Conditions before the loop, in 64 bits:
//   %at = add nsw i32 %i, %k
//   %least = smax(%at, 0)                       %at >= 0 in all iterations:      0 - (%i - 2) <= 0
//   %inside = smin(%least, %n - 1)              %least <= %n - 1, if that holds: (%i + 2) - (%n - 1) <= 0
// Limits of what lanes have of their own, and what is emitted:
//   2 <= %i <= %n - 3                           %low = icmp sge i32 %i, 2
//                                               %limit = add i64 (sext %n), -3
//                                               %high = icmp sle i32 %i, (trunc %limit)
//                                               %fits = icmp eq i64 (sext (trunc %limit)), %limit
// So lanes compare numbers as wide as theirs, and what they share is computed once for all vectors.

#include "boundary_conditions.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

using namespace llvm;

namespace falx::jit::simd {

/// Values that a value is made of, one of the other, and for how many a smallest or greatest number counts,
/// which is looked at five times.
constexpr unsigned MOST_DEPTH = 8, EXTREMUM_DEPTH = 3;
/// Bits of numbers of 64 that are far from the ends of these, so that sums of some are no further.
constexpr unsigned BITS_OF_NUMBERS = 60;

/// Where an extreme is looked for, and what has to hold so that it is one.
struct boundary_conditions::search {
  const Loop* around;
  const BasicBlock& block;
  conditions& found;
  bool is_most;
};

std::optional<unsigned> own_operand(const MinMaxIntrinsic& extremum, const lane_shapes& shapes) {
  const bool is_first = shapes[extremum.getLHS()].is_uniform(),
             is_second = shapes[extremum.getRHS()].is_uniform();
  return !extremum.getType()->isIntegerTy() || is_first == is_second ? std::nullopt
                                                                     : std::optional(is_first ? 1U : 0U);
}

CmpInst::Predicate predicate_of(const MinMaxIntrinsic& extremum) {
  return CmpInst::getNonStrictPredicate(extremum.getPredicate());
}

boundary_conditions::boundary_conditions(Function& work_item, const prepared_function& code,
                                         TargetLibraryInfo& library)
    : code_(code), dominators_(work_item), loops_(dominators_), assumptions_(work_item),
      evolution_(work_item, library, assumptions_, dominators_, loops_),
      wide_(Type::getInt64Ty(work_item.getContext())) {}

/// The number of the loop's last iteration that comes to \p block, in 64 bits.
const SCEV* boundary_conditions::last_iteration(const Loop& loop, const BasicBlock& block) {
  const SCEV* last = evolution_.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(last))
    last = evolution_.getSymbolicMaxBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(last))
    return nullptr;
  last = evolution_.getNoopOrZeroExtend(last, wide_);
  // Of a loop that ends before the block the last iteration does not come there.
  const BasicBlock* header = loop.getHeader();
  return loop.getExitingBlock() == header && header != &block
             ? evolution_.getMinusSCEV(last, evolution_.getOne(wide_))
             : last;
}

/// A number of 64 bits, from which few bits are known, has to be far from the ends of these.
const SCEV* boundary_conditions::bounded(const SCEV* number, const search& at) {
  if (evolution_.getSignedRange(number).getMinSignedBits() <= BITS_OF_NUMBERS + 1)
    return number;
  const SCEV* most = evolution_.getConstant(wide_, std::uint64_t(1) << BITS_OF_NUMBERS);
  at.found.push_back({condition::kind::not_positive, evolution_.getMinusSCEV(number, most)});
  at.found.push_back(
      {condition::kind::not_positive, evolution_.getNegativeSCEV(evolution_.getAddExpr(number, most))});
  return number;
}

/// Of a value that loops count.
const SCEV* boundary_conditions::extreme_of_count(const SCEV& value, const search& at) {
  if (at.around == nullptr || evolution_.isLoopInvariant(&value, at.around))
    return bounded(evolution_.getNoopOrSignExtend(&value, wide_), at);
  const auto* counted = dyn_cast<SCEVAddRecExpr>(&value);
  if (counted == nullptr || !counted->isAffine() || !counted->hasNoSignedWrap())
    return nullptr;
  const SCEV* step = counted->getOperand(1);
  const bool grows = evolution_.isKnownNonNegative(step);
  if (!evolution_.isLoopInvariant(step, at.around) || (!grows && !evolution_.isKnownNonPositive(step)))
    return nullptr;
  const SCEV* start = extreme_of_count(*counted->getStart(), at);
  if (start == nullptr || grows != at.is_most)
    return start;
  const SCEV* last = last_iteration(*counted->getLoop(), at.block);
  if (last == nullptr || !evolution_.isLoopInvariant(last, at.around))
    return nullptr;
  const SCEV* way = evolution_.getMulExpr(evolution_.getNoopOrSignExtend(step, wide_), last);
  return bounded(evolution_.getAddExpr(start, way), at);
}

/// The greatest or least that \p value is there in any iteration of the loops around, in 64 bits, which
/// numbers of 32 do not leave; null if that is not known. Where its sums wrap, it is poison, and what follows
/// from that is, so any outcome of a test is right. Adds what has to hold so that it is one.
const SCEV* boundary_conditions::extreme(const Value& value, const search& at, unsigned depth) {
  auto* own = const_cast<Value*>(&value);
  // Where the block stands, what a loop counts is there.
  const SCEV* known =
      at.around == nullptr && isa<PHINode>(value) ? evolution_.getUnknown(own) : evolution_.getSCEV(own);
  const bool is_narrow = value.getType()->getScalarSizeInBits() <= 32;
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (depth == MOST_DEPTH)
    return nullptr;
  const auto of = [&](unsigned operand, bool turns = false) {
    return extreme(*instruction->getOperand(operand), {at.around, at.block, at.found, at.is_most != turns},
                   depth + 1);
  };
  const auto joined = [&](auto join, const SCEV* left, const SCEV* right) {
    return left == nullptr || right == nullptr ? nullptr : join(left, right);
  };
  const auto add = [&](const SCEV* left, const SCEV* right) { return evolution_.getAddExpr(left, right); };
  if (is_narrow && instruction != nullptr && isa<OverflowingBinaryOperator>(instruction) &&
      instruction->hasNoSignedWrap()) {
    if (instruction->getOpcode() == Instruction::Add)
      return joined(add, of(0), of(1));
    if (instruction->getOpcode() == Instruction::Sub) {
      const SCEV* taken = of(1, /*turns=*/true);
      return taken == nullptr ? nullptr : joined(add, of(0), evolution_.getNegativeSCEV(taken));
    }
  }
  if (const auto* extremum = dyn_cast_or_null<MinMaxIntrinsic>(instruction))
    if (const std::optional<unsigned> mine = own_operand(*extremum, code_.shapes)) {
      // What it is of, if that is between the bounds, which is another condition.
      const Value &inner = *extremum->getArgOperand(*mine), &outer = *extremum->getArgOperand(1 - *mine);
      conditions between;
      if (add_conditions({predicate_of(*extremum), inner, outer, at.block, at.around}, between,
                         depth + EXTREMUM_DEPTH)) {
        at.found.append(between);
        return extreme(inner, at, depth + EXTREMUM_DEPTH);
      }
    }
  if (const SCEV* count = extreme_of_count(*known, at))
    return count;
  if (instruction == nullptr)
    return nullptr;
  if (const auto* extremum = dyn_cast<MinMaxIntrinsic>(instruction);
      extremum != nullptr && extremum->isSigned())
    return joined(
        [&](const SCEV* left, const SCEV* right) {
          return extremum->getIntrinsicID() == Intrinsic::smax ? evolution_.getSMaxExpr(left, right)
                                                               : evolution_.getSMinExpr(left, right);
        },
        of(0), of(1));
  if (isa<SExtInst>(instruction) || (isa<ZExtInst>(instruction) && instruction->hasNonNeg()))
    return of(0);
  return nullptr;
}

bool boundary_conditions::add_conditions(const tested_comparison& comparison, conditions& found,
                                         unsigned depth) {
  const auto of = [&](const Value& side, bool is_most) {
    const SCEV* number = extreme(side, {comparison.around, comparison.block, found, is_most}, depth);
    if (number == nullptr || comparison.subtrahend == nullptr || &side != &comparison.left)
      return number;
    const SCEV* taken =
        extreme(*comparison.subtrahend, {comparison.around, comparison.block, found, !is_most}, depth);
    return taken == nullptr ? nullptr : evolution_.getMinusSCEV(number, taken);
  };
  const Value &left = comparison.left, &right = comparison.right;
  CmpInst::Predicate predicate = comparison.predicate;
  const SCEV *least[2] = {of(left, false), of(right, false)}, *most[2] = {of(left, true), of(right, true)};
  if (is_contained(least, nullptr) || is_contained(most, nullptr))
    return false;
  if (predicate == CmpInst::ICMP_NE) {
    found.push_back({condition::kind::not_zero, evolution_.getMinusSCEV(most[0], most[1])});
    return most[0] == least[0] && most[1] == least[1];
  }
  const bool is_greater = ICmpInst::isGT(predicate) || ICmpInst::isGE(predicate);
  const unsigned low = is_greater ? 1 : 0;
  const auto add = [&](const SCEV* difference) {
    found.push_back({condition::kind::not_positive, difference});
  };
  // Of numbers that are not negative, signed and unsigned order are one.
  if (CmpInst::isUnsigned(predicate))
    add(evolution_.getNegativeSCEV(least[low]));
  const SCEV* difference = evolution_.getMinusSCEV(most[low], least[1 - low]);
  add(CmpInst::isStrictPredicate(predicate) ? evolution_.getAddExpr(difference, evolution_.getOne(wide_))
                                            : difference);
  return true;
}

/// Computes \p instruction before \p place instead of behind it in the same block. False if that cannot be.
static bool move_before(Instruction& instruction, Instruction& place, const DominatorTree& dominators) {
  if (dominators.dominates(&instruction, &place))
    return true;
  if (&instruction == &place || instruction.getParent() != place.getParent() || isa<PHINode>(instruction) ||
      instruction.mayHaveSideEffects() ||
      (instruction.mayReadFromMemory() && !instruction.hasMetadata(LLVMContext::MD_invariant_load)))
    return false;
  for (Value* operand : instruction.operands())
    if (auto* part = dyn_cast<Instruction>(operand);
        part != nullptr && !move_before(*part, place, dominators))
      return false;
  instruction.moveBefore(place.getIterator());
  return true;
}

bool boundary_conditions::bring(const condition& condition, Instruction& place) {
  if (!SCEVExpander(evolution_, "").isSafeToExpand(condition.difference))
    return false;
  return !SCEVExprContains(condition.difference, [&](const SCEV* part) {
    if (const auto* counted = dyn_cast<SCEVAddRecExpr>(part))
      return !counted->getLoop()->contains(place.getParent());
    const auto* unknown = dyn_cast<SCEVUnknown>(part);
    auto* instruction = unknown == nullptr ? nullptr : dyn_cast<Instruction>(unknown->getValue());
    return instruction != nullptr && !move_before(*instruction, place, dominators_);
  });
}

bool boundary_conditions::is_uniform(const SCEV& value) const {
  return !SCEVExprContains(&value, [&](const SCEV* part) {
    if (const auto* counted = dyn_cast<SCEVAddRecExpr>(part))
      return code_.shapes.is_divergent(code_.loops.getLoopFor(counted->getLoop()->getHeader()));
    const auto* unknown = dyn_cast<SCEVUnknown>(part);
    return unknown != nullptr && !code_.shapes[unknown->getValue()].is_uniform();
  });
}

/// Takes what all lanes share to the other side, in 64 bits, which sums of numbers of 32 do not leave: lanes
/// compare what they have, as wide as it is.
boundary_conditions::bound boundary_conditions::bound_of(const SCEV& difference) {
  SmallVector<const SCEV*, 4> shared, own;
  const auto* product = dyn_cast<SCEVMulExpr>(&difference);
  const bool is_negative =
      product != nullptr && product->getNumOperands() == 2 && product->getOperand(0)->isAllOnesValue();
  const SCEV* whole = is_negative ? product->getOperand(1) : &difference;
  const auto* sum = dyn_cast<SCEVAddExpr>(whole);
  for (const SCEV* part : sum != nullptr ? sum->operands() : ArrayRef<const SCEV*>(whole))
    (is_uniform(*part) ? shared : own).push_back(is_negative ? evolution_.getNegativeSCEV(part) : part);
  const SCEV* rest = shared.empty() ? evolution_.getZero(wide_) : evolution_.getAddExpr(shared);
  if (own.empty())
    return {nullptr, true, evolution_.getNegativeSCEV(rest)};
  const SCEV* value = own.size() == 1 ? own.front() : evolution_.getAddExpr(own);
  const bool is_most = !value->isNonConstantNegative();
  if (!is_most)
    value = evolution_.getNegativeSCEV(value);
  const auto* extended = dyn_cast<SCEVIntegralCastExpr>(value);
  if (isa<SCEVSignExtendExpr>(value) ||
      (isa<SCEVZeroExtendExpr>(value) && evolution_.isKnownNonNegative(extended->getOperand())))
    value = extended->getOperand();
  else if (evolution_.getSignedRange(value).getMinSignedBits() <= 32)
    value = evolution_.getTruncateExpr(value, Type::getInt32Ty(wide_->getContext()));
  return {value, is_most, is_most ? evolution_.getNegativeSCEV(rest) : rest};
}

void boundary_conditions::add(limits& limits, const condition& added) {
  if (added.what == condition::kind::not_zero) {
    limits.not_zero.insert(added.difference);
    return;
  }
  const bound found = bound_of(*added.difference);
  const SCEV*& limit = limits.of_values[{found.value, found.is_most}];
  if (limit == nullptr)
    limit = found.limit;
  else
    limit = found.is_most ? evolution_.getSMinExpr(limit, found.limit)
                          : evolution_.getSMaxExpr(limit, found.limit);
}

Value* boundary_conditions::emit(const limits& limits, Instruction& place) {
  IRBuilder<> builder(&place);
  SCEVExpander expander(evolution_, "boundary");
  expander.setInsertPoint(&place);
  const auto number = [&](const SCEV* value) { return expander.expandCodeFor(value, value->getType()); };
  Value *inside = builder.getTrue(), *limits_fit = builder.getTrue();
  for (const auto& [bounded, limit] : limits.of_values) {
    const auto& [value, is_most] = bounded;
    Value* wide = number(limit);
    if (value == nullptr) {
      limits_fit = builder.CreateAnd(limits_fit, builder.CreateICmpSGE(wide, builder.getInt64(0)));
      continue;
    }
    Value* narrow = builder.CreateTrunc(wide, value->getType());
    if (narrow != wide)
      limits_fit =
          builder.CreateAnd(limits_fit, builder.CreateICmpEQ(builder.CreateSExt(narrow, wide_), wide));
    inside = builder.CreateAnd(inside, is_most ? builder.CreateICmpSLE(number(value), narrow)
                                               : builder.CreateICmpSGE(number(value), narrow));
  }
  for (const SCEV* difference : limits.not_zero) {
    const bound sides = bound_of(*difference);
    Value* narrow = sides.value == nullptr ? builder.getInt64(0)
                                           : builder.CreateTrunc(number(sides.limit), sides.value->getType());
    inside = builder.CreateAnd(
        inside,
        builder.CreateICmpNE(sides.value == nullptr ? number(difference) : number(sides.value), narrow));
  }
  return builder.CreateAnd(inside, limits_fit);
}

std::optional<boundary_conditions::conditions> boundary_conditions::of(const tested_comparison& comparison) {
  conditions found;
  return add_conditions(comparison, found) ? std::optional(std::move(found)) : std::nullopt;
}

} // namespace falx::jit::simd
