// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, with %row as 1 and %x as it is:      After:
//   %from = mul nsw i64 %row, %width
//   %at = add nsw i64 %from, %x                  %at.1 = add i64 %width, %x

#include "rematerialisation.hpp"
#include "vectorizer/cost/cost_model.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cassert>

using namespace llvm;

namespace falx::jit {

static bool is_cheap_step(const Instruction& step) {
  if (const auto* load = dyn_cast<LoadInst>(&step))
    return load->hasMetadata(LLVMContext::MD_invariant_load);
  if (const auto* binary = dyn_cast<BinaryOperator>(&step)) {
    const auto* divisor = dyn_cast<ConstantInt>(binary->getOperand(1));
    const bool traps =
        binary->isIntDivRem() && (divisor == nullptr || divisor->isZero() || divisor->isMinusOne());
    return binary->getType()->isIntOrIntVectorTy() && !traps;
  }
  if (const auto* choice = dyn_cast<MinMaxIntrinsic>(&step))
    return choice->getType()->isIntegerTy();
  // What the vectoriser knows to be uniform in a vector, or to be its lanes' numbers, stays that.
  if (const auto* call = dyn_cast<CallInst>(&step); call != nullptr && call->getCalledFunction() != nullptr)
    return call->getCalledFunction()->getName() == "__falx_sub_group_id" ||
           call->getCalledFunction()->getName() == "__falx_sub_group_local_id";
  return isa<GetElementPtrInst, CastInst, ICmpInst, SelectInst>(step);
}

bool can_rematerialise(const Instruction& value, function_ref<bool(const Instruction&)> is_there) {
  SmallSetVector<const Instruction*, simd::REMATERIALISED_INSTRUCTIONS> steps;
  steps.insert(&value);
  for (unsigned next = 0; next < steps.size(); ++next) {
    if (next == simd::REMATERIALISED_INSTRUCTIONS || !is_cheap_step(*steps[next]))
      return false;
    for (const Use& operand : steps[next]->operands())
      if (const auto* before = dyn_cast<Instruction>(operand); before != nullptr && !is_there(*before))
        steps.insert(before);
  }
  return true;
}

Value* rematerialiser::emit(Value& value) {
  if (Value* known = made_.lookup(&value))
    return known;
  Value* ours = stands_for_ ? stands_for_(value) : nullptr;
  if (ours == nullptr) {
    auto* step = isa<AllocaInst>(value) ? nullptr : dyn_cast<Instruction>(&value);
    ours = step != nullptr ? emit_again(*step) : &value;
  }
  return made_[&value] = ours;
}

Value* rematerialiser::emit_again(Instruction& step) {
  assert(!isa<PHINode>(step) && "this value belongs to the place where it is");
  SmallVector<Value*, 4> operands;
  for (const Use& operand : step.operands())
    operands.push_back(emit(*operand));
  // Bits that are disjoint in the original's place need not be so in this one, and it is their sum that is
  // meant.
  const auto* bits = dyn_cast<PossiblyDisjointInst>(&step);
  const bool is_sum = flags_ == flags::dropped && bits != nullptr && bits->isDisjoint();
  Instruction* copy =
      is_sum ? BinaryOperator::CreateAdd(step.getOperand(0), step.getOperand(1)) : step.clone();
  for (const auto& [operand, ours] : zip(copy->operands(), operands))
    operand.set(ours);
  const auto is_vector = [](const Value* operand) { return operand->getType()->isVectorTy(); };
  if (any_of(step.operand_values(), is_vector) && none_of(operands, is_vector))
    copy->mutateType(step.getType()->getScalarType());
  if (flags_ == flags::dropped)
    copy->dropPoisonGeneratingAnnotations();
  copy->setDebugLoc(DebugLoc()); // of another function, perhaps
  builder_.Insert(copy, step.getName());
  Value* simple = simplifyInstruction(copy, SimplifyQuery(copy->getDataLayout()));
  if (simple == nullptr)
    return copy;
  copy->eraseFromParent();
  return simple;
}

} // namespace falx::jit
