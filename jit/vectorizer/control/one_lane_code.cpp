// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first work-item of a group often goes on alone, as with a sum of what the others have left. Before:
//   entry:
//     %i = add i64 %base, %id
//     %is.first = icmp eq i64 %id, 0
//     br i1 %is.first, label %loop, label %end
//   loop:
//     %at = getelementptr float, ptr %data, i64 %i
//     %x = load float, ptr %at                          ; of lanes beside each other, of which one is active
// After:
//   loop:
//     %i.one = add i64 %base, 0
//     %at = getelementptr float, ptr %data, i64 %i.one
//     %x = load float, ptr %at                          ; one number, which all lanes share
// What is computed of such numbers is computed once, without masks or vectors.

#include "one_lane_code.hpp"
#include "prepare_for_lanes.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace PatternMatch;

namespace falx::jit::simd {
namespace {

/// Instructions between a lane's number and what is computed of it.
constexpr unsigned MOST_STEPS = 8;

class one_lane_region {
public:
  /// Behind the edge to \p first, where \p number, which differs from lane to lane, is \p same.
  one_lane_region(const prepared_function& code, BasicBlock& first, Value& number, Value& same)
      : code_(code), first_(first), number_(number), same_(same),
        builder_(&first, first.getFirstInsertionPt()) {}

  void use_numbers();

private:
  Value* number_of_lane(Value& value, unsigned depth = 0);
  Value* computed_of_lane(Instruction& instruction, unsigned depth);

  const prepared_function& code_;
  BasicBlock& first_;
  Value &number_, &same_;
  IRBuilder<> builder_;
  DenseMap<const Value*, Value*> of_lane_;
};

} // namespace

/// What \p value is there, or null if that is not known.
Value* one_lane_region::number_of_lane(Value& value, unsigned depth) {
  if (&value == &number_)
    return &same_;
  if (isa<Constant>(value) || code_.shapes[&value].is_uniform())
    return &value;
  if (const auto known = of_lane_.find(&value); known != of_lane_.end())
    return known->second;
  auto* instruction = dyn_cast<Instruction>(&value);
  const bool is_computed = instruction != nullptr && depth < MOST_STEPS &&
                           isa<BinaryOperator, CastInst, GetElementPtrInst>(instruction) &&
                           isSafeToSpeculativelyExecute(instruction);
  Value* result = is_computed ? computed_of_lane(*instruction, depth) : nullptr;
  of_lane_[&value] = result;
  return result;
}

Value* one_lane_region::computed_of_lane(Instruction& instruction, unsigned depth) {
  SmallVector<Value*, 4> operands;
  for (Value* operand : instruction.operands()) {
    operands.push_back(number_of_lane(*operand, depth + 1));
    if (operands.back() == nullptr)
      return nullptr;
  }
  Instruction* copy = instruction.clone();
  for (const auto& [index, operand] : enumerate(operands))
    copy->setOperand(unsigned(index), operand);
  return builder_.Insert(copy, instruction.getName() + ".one");
}

void one_lane_region::use_numbers() {
  SmallVector<Use*> uses;
  for (BasicBlock* block : code_.graph.order()) {
    if (!code_.dominators.dominates(&first_, block))
      continue;
    for (Instruction& instruction : *block)
      for (Use& use : instruction.operands()) {
        const auto* outside = dyn_cast<Instruction>(use.get());
        const bool is_outside =
            isa<Argument>(use.get()) ||
            (outside != nullptr && !code_.dominators.dominates(&first_, outside->getParent()));
        if (is_outside && !isa<PHINode>(instruction) && !code_.shapes[use.get()].is_uniform())
          uses.push_back(&use);
      }
  }
  for (Use* use : uses)
    if (Value* number = number_of_lane(*use->get()))
      use->set(number);
}

const ICmpInst* one_lane_test(const Value& condition, bool is, const lane_shapes& shapes) {
  const Value *left = nullptr, *right = nullptr;
  if (match(&condition, m_Not(m_Value(left))))
    return one_lane_test(*left, !is, shapes);
  if (is ? match(&condition, m_LogicalAnd(m_Value(left), m_Value(right)))
         : match(&condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
    const ICmpInst* first = one_lane_test(*left, is, shapes);
    return first != nullptr ? first : one_lane_test(*right, is, shapes);
  }
  const auto* compare = dyn_cast<ICmpInst>(&condition);
  if (compare == nullptr || compare->getPredicate() != (is ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE) ||
      !compare->getOperand(0)->getType()->isIntegerTy())
    return nullptr;
  const lane_shape first = shapes[compare->getOperand(0)], second = shapes[compare->getOperand(1)];
  return first.is_progression() && second.is_progression() && first.is_uniform() != second.is_uniform()
             ? compare
             : nullptr;
}

void use_numbers_of_one_lane(Function& work_item, unsigned lanes) {
  const prepared_function code(work_item, lanes);
  for (BasicBlock* block : code.graph.order()) {
    const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (branch == nullptr || !branch->isConditional())
      continue;
    for (const unsigned way : {0U, 1U}) {
      const ICmpInst* test = one_lane_test(*branch->getCondition(), way == 0, code.shapes);
      BasicBlock* first = branch->getSuccessor(way);
      if (test == nullptr || first->getSinglePredecessor() != block)
        continue;
      const unsigned number = code.shapes[test->getOperand(0)].is_uniform() ? 1 : 0;
      one_lane_region(code, *first, *test->getOperand(number), *test->getOperand(1 - number)).use_numbers();
    }
  }
}

} // namespace falx::jit::simd
