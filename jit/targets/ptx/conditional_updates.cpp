// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                        After:
//   %step = zext i1 %is_less to i32                %more = add i32 %count, 1
//   %next = add i32 %count, %step                  %next = select i1 %is_less, i32 %more, i32 %count
//
//   %part = select i1 %near, float %x, float -0.0  %more = fadd float %sum, %x
//   %next = fadd float %sum, %part                 %next = select i1 %near, float %more, float %sum
//
//   %both = and i1 %near, %is_less                 %both = call i1 asm "and.pred …"(i1 %near, i1 %is_less)
//   %x = select i1 %both, i32 %a, i32 %b           %x = select i1 %both, i32 %a, i32 %b
//
//   %b = sext i8 %loaded to i32                    %b = sext i8 %loaded to i32
//   %is_near = icmp slt i32 %b, %x                 %is_near = icmp slt i32 %b, %x
//   %both = select i1 %near, i1 %is_near,          %both = call i1 asm "and.pred …"(i1 %near,
//                  i1 false                                                     i1 %is_near)
//
//   %more = add i64 %sum, 4294967295               %term = select i1 %over, i64 4294967295, i64 0
//   %next = select i1 %over, i64 %more, i64 %sum   %next = add i64 %sum, %term
//
// LLVM writes `if (near) sum += x` as a sum with 0 or x, which is two instructions, a selection and an
// addition. Of the other form the assembler makes one with a predicate, which leaves the sum where it is. And
// it makes a sequence of selections of one whose condition has two parts, where the assembler would have the
// second comparison ask for the first. Where code generation makes the conjunction, it freezes the second
// test, whose operand may be undefined where it is not asked for, and moves that to the load: bytes would be
// loaded and extended by two instructions. Assembly takes what bits there are. Sums of 64 bits are two
// instructions, of which the second takes the first one's carry, and get no predicate: a selection of two
// sums is four instructions, and three if what is added, or not, is a constant whose halves take one
// selection, as those of carries in modular arithmetic.

#include "passes.hpp"
#include "pipeline/replacements.hpp"
#include "ptx_ir.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace falx::jit {
namespace {

struct update {
  Value* condition; ///< of which the operation takes place
  bool when;        ///< the condition's value then
  Value* operand;
};

/// If \p operand of \p operation is what leaves the other one as it is, or something else.
std::optional<update> update_of(const BinaryOperator& operation, Value* operand) {
  Value *condition = nullptr, *first = nullptr, *second = nullptr;
  if (!operand->hasOneUse())
    return std::nullopt;
  Type* type = operation.getType();
  const Constant* same =
      ConstantExpr::getBinOpIdentity(operation.getOpcode(), type, /*AllowRHSConstant=*/true);
  if (same == nullptr)
    return std::nullopt;
  if (match(operand, m_ZExtOrSExt(m_Value(condition))) && condition->getType()->isIntegerTy(1) &&
      same->isNullValue())
    return update{condition, true,
                  isa<ZExtInst>(operand) ? ConstantInt::get(type, 1) : ConstantInt::getAllOnesValue(type)};
  if (!match(operand, m_Select(m_Value(condition), m_Value(first), m_Value(second))))
    return std::nullopt;
  const bool any_zero = isa<FPMathOperator>(operation) && operation.hasNoSignedZeros() && same->isZeroValue();
  const auto is_same = [&](Value* value) {
    return value == same || (any_zero && match(value, m_AnyZeroFP()));
  };
  if (is_same(second))
    return update{condition, true, first};
  if (is_same(first))
    return update{condition, false, second};
  return std::nullopt;
}

/// Divisions are none: what is divided by, or 1, may be 0 where it is not asked for.
bool is_update(const BinaryOperator& operation) {
  switch (operation.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
    return true;
  default:
    return false;
  }
}

bool is_register(const Type& type) {
  return type.isIntegerTy(32) || type.isIntegerTy(64) || type.isFloatTy() || type.isDoubleTy();
}

/// A product that a sum with it makes one instruction of.
bool joins_sum(const Value& value) {
  const auto* product = dyn_cast<BinaryOperator>(&value);
  if (product == nullptr)
    return false;
  switch (product->getOpcode()) {
  case Instruction::Mul:
    return true;
  case Instruction::FMul:
    return product->hasAllowContract();
  case Instruction::Shl:
    return isa<ConstantInt>(product->getOperand(1));
  default:
    return false;
  }
}

/// Does it take one 32-bit selection to have \p value or 0?
bool is_selected_at_once(const APInt& value) {
  constexpr unsigned HALF = 32;
  const APInt low = value.trunc(HALF), high = value.extractBits(HALF, HALF);
  return low.isZero() || high.isZero() || low == high;
}

bool is_sum(const Instruction& operation) {
  return operation.getOpcode() == Instruction::Add || operation.getOpcode() == Instruction::Sub;
}

/// Is it a sum of 64 bits that is better off with what is selected of \p operand and 0?
bool is_better_with_term(const BinaryOperator& operation, const Value& operand) {
  const auto* constant = dyn_cast<ConstantInt>(&operand);
  return is_sum(operation) && operation.getType()->isIntegerTy(64) && constant != nullptr &&
         is_selected_at_once(constant->getValue());
}

/// If it selects a sum of 64 bits or its first operand.
bool form_selected_term(SelectInst& selection) {
  if (!selection.getType()->isIntegerTy(64))
    return false;
  for (const bool when : {true, false}) {
    Value *sum = when ? selection.getTrueValue() : selection.getFalseValue(),
          *whole = when ? selection.getFalseValue() : selection.getTrueValue();
    const APInt* constant = nullptr;
    if (!match(sum, m_OneUse(m_Add(m_Specific(whole), m_APInt(constant)))))
      continue;
    const bool is_added = is_selected_at_once(*constant);
    if (!is_added && !is_selected_at_once(-*constant))
      continue;
    IRBuilder builder(&selection);
    Constant *term = builder.getInt(is_added ? *constant : -*constant), *none = builder.getInt64(0);
    Value* selected = builder.CreateSelect(selection.getCondition(), when ? term : none, when ? none : term);
    Value* result = is_added ? builder.CreateAdd(whole, selected) : builder.CreateSub(whole, selected);
    result->takeName(&selection);
    selection.replaceAllUsesWith(result);
    selection.eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(sum);
    return true;
  }
  return false;
}

/// Where the other operand is not needed any more, so that its register may hold the result, and what is
/// selected is so each time.
bool form_conditional_update(BinaryOperator& operation) {
  if (!is_update(operation))
    return false;
  for (const unsigned part : {1U, 0U}) {
    Value* whole = operation.getOperand(1 - part);
    if ((part == 0 && !operation.isCommutative()) || isa<Constant>(whole) || !whole->hasOneUse() ||
        joins_sum(*whole))
      continue;
    auto* operand = dyn_cast<Instruction>(operation.getOperand(part));
    if (operand == nullptr || operand->getParent() != operation.getParent())
      continue;
    const std::optional<update> found = update_of(operation, operand);
    if (!found || is_better_with_term(operation, *found->operand))
      continue;
    IRBuilder builder(&operation);
    Instruction* updated = operation.clone();
    updated->setOperand(part, found->operand);
    builder.Insert(updated, operation.getName());
    Value* result =
        builder.CreateSelect(found->condition, found->when ? updated : whole, found->when ? whole : updated);
    operation.replaceAllUsesWith(result);
    operation.eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(operand);
    return true;
  }
  return false;
}

/// What code generation leaves as it is.
Value* join_tests(bool is_and, Value* first, Value* second, IRBuilder<>& builder, StringRef name) {
  return create_assembly(builder, builder.getInt1Ty(),
                         is_and ? "and.pred $0, $1, $2;" : "or.pred $0, $1, $2;", "=b,b,b", {first, second},
                         name);
}

/// Has code generation leave the condition as it is, if it has two parts.
bool keep_condition(SelectInst& selection) {
  Value *first = nullptr, *second = nullptr, *condition = selection.getCondition();
  if (!condition->hasOneUse())
    return false;
  const bool is_and = match(condition, m_LogicalAnd(m_Value(first), m_Value(second)));
  if (!is_and && !match(condition, m_LogicalOr(m_Value(first), m_Value(second))))
    return false;
  IRBuilder<> builder(&selection);
  // The second may be poison where it is not asked for.
  selection.setCondition(
      join_tests(is_and, first, builder.CreateFreeze(second), builder, condition->getName()));
  RecursivelyDeleteTriviallyDeadInstructions(condition);
  return true;
}

/// Is it a load that extends what it loads, in one instruction?
bool is_extending_load(const Value& value) {
  const auto* extension = dyn_cast<CastInst>(&value);
  if (extension == nullptr || !isa<ZExtInst, SExtInst>(extension))
    return false;
  const auto* load = dyn_cast<LoadInst>(extension->getOperand(0));
  return load != nullptr && load->hasOneUse() && load->getParent() == extension->getParent() &&
         (load->getType()->isIntegerTy(8) || load->getType()->isIntegerTy(16));
}

/// Joins two tests of which code generation would freeze the second one, down to such a load. Assembly takes
/// what bits are loaded where it is not asked for.
bool keep_extending_load(SelectInst& selection) {
  Value *first = nullptr, *second = nullptr;
  const bool is_and = match(&selection, m_LogicalAnd(m_Value(first), m_Value(second)));
  if (!is_and && !match(&selection, m_LogicalOr(m_Value(first), m_Value(second))))
    return false;
  const auto* test = dyn_cast<ICmpInst>(second);
  if (test == nullptr || !any_of(test->operands(), [](const Use& use) { return is_extending_load(*use); }))
    return false;
  IRBuilder builder(&selection);
  selection.replaceAllUsesWith(join_tests(is_and, first, second, builder, selection.getName()));
  selection.eraseFromParent();
  return true;
}

/// All of one kind, first, as some go.
template <class Kind>
SmallVector<Kind*> all_of_type(Function& function, bool (*is_wanted)(const Type&)) {
  SmallVector<Kind*> found;
  for (Instruction& instruction : instructions(function))
    if (auto* each = dyn_cast<Kind>(&instruction); each != nullptr && is_wanted(*each->getType()))
      found.push_back(each);
  return found;
}

template <class Kind>
SmallVector<Kind*> of_registers(Function& function) {
  return all_of_type<Kind>(function, is_register);
}

SmallVector<SelectInst*> logical_selections(Function& function) {
  return all_of_type<SelectInst>(function, [](const Type& type) { return type.isIntegerTy(1); });
}

} // namespace

PreservedAnalyses form_conditional_updates::run(Function& function, FunctionAnalysisManager&) {
  bool has_changed = false;
  for (BinaryOperator* operation : of_registers<BinaryOperator>(function))
    has_changed |= form_conditional_update(*operation);
  for (SelectInst* selection : of_registers<SelectInst>(function))
    has_changed |= form_selected_term(*selection);
  for (SelectInst* selection : of_registers<SelectInst>(function))
    has_changed |= keep_condition(*selection);
  for (SelectInst* selection : logical_selections(function))
    has_changed |= keep_extending_load(*selection);
  return preserved_by_replacements(has_changed);
}

} // namespace falx::jit
