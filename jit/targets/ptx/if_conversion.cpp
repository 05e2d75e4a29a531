// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                            After:
//   br i1 %is_between, label %crosses, label %next     %bound = fadd float %x, %slope
// crosses:                                             %is_left = fcmp olt float %p, %bound
//   %bound = fadd float %x, %slope                     %new = select i1 %is_left, i32 %flipped, i32 %count
//   %is_left = fcmp olt float %p, %bound               %result = select i1 %is_between, i32 %new, i32 %count
//   %new = select i1 %is_left, i32 %flipped, i32 %count
//   br label %next
// next:
//   %result = phi i32 [ %count, %before ], [ %new, %crosses ]
//
// A switch of few cases likewise; each value is selected by the cases in which it differs. And tests one
// behind the other that lead to the same place are one:
//
//   br i1 %a, label %second, label %next               %b = icmp ult i32 %x, %y
// second:                                              %both = select i1 %a, i1 %b, i1 false
//   %b = icmp ult i32 %x, %y                           br i1 %both, label %use, label %next
//   br i1 %b, label %use, label %next
//
// Whatever the branch saves, it costs three instructions (BSSY, BRA, BSYNC) and some 20 clocks until the next
// one is issued, and nothing moves across it: the copies of a loop run one behind the other. The assembler
// predicates short blocks by itself, but not those that compare. So these are converted here, and the others
// left to it, as predicated instructions need no selection.

#include "cost_model.hpp"
#include "passes.hpp"
#include "ptx_ir.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/ProfDataUtils.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>
#include <utility>

using namespace llvm;

namespace falx::jit {
namespace {

/// Two ways from one block to another, of which one may be direct.
struct alternative {
  BranchInst* branch;
  BasicBlock* end;
  SmallVector<BasicBlock*, 2> sides;
};

/// The end of a block that nothing but \p before leads to, and that leads to nothing else.
BasicBlock* end_of_side(BasicBlock& side, const BasicBlock& before) {
  const auto* branch = dyn_cast<BranchInst>(side.getTerminator());
  if (branch == nullptr || branch->isConditional() || side.getSinglePredecessor() != &before)
    return nullptr;
  return branch->getSuccessor(0);
}

std::optional<alternative> alternative_behind(BasicBlock& before) {
  auto* branch = dyn_cast<BranchInst>(before.getTerminator());
  if (branch == nullptr || !branch->isConditional())
    return std::nullopt;
  BasicBlock *const first = branch->getSuccessor(0), *const second = branch->getSuccessor(1);
  BasicBlock *const first_end = end_of_side(*first, before), *const second_end = end_of_side(*second, before);
  if (is_contained({first, second, first_end, second_end}, &before)) // a loop
    return std::nullopt;
  if (first_end != nullptr && first_end == second_end)
    return alternative{branch, first_end, {first, second}};
  if (first_end == second)
    return alternative{branch, second, {first}};
  if (second_end == first)
    return alternative{branch, first, {second}};
  return std::nullopt;
}

/// Does the program say that it mostly goes elsewhere?
bool is_rare(const BranchInst& branch, const BasicBlock& side) {
  std::uint64_t taken = 0, not_taken = 0;
  if (!extractBranchWeights(branch, taken, not_taken))
    return false;
  return branch.getSuccessor(0) == &side ? taken < not_taken : not_taken < taken;
}

bool is_rare(const alternative& choice) {
  return choice.sides.size() == 1 && is_rare(*choice.branch, *choice.sides.front());
}

bool is_instruction_of_gpu(const IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::abs:
  case Intrinsic::copysign:
  case Intrinsic::fabs:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::maximum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::minnum:
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::umax:
  case Intrinsic::umin:
    return true;
  default:
    return false;
  }
}

/// A product that becomes part of an fma.
bool is_contracted(const Instruction& product) {
  if (product.getOpcode() != Instruction::FMul || !product.hasAllowContract() || !product.hasOneUse())
    return false;
  const auto* sum = cast<Instruction>(*product.user_begin());
  return (sum->getOpcode() == Instruction::FAdd || sum->getOpcode() == Instruction::FSub) &&
         sum->hasAllowContract();
}

/// In instructions, or none if it is to stay where it is: what may not be computed without need, and what
/// has fewer units than there are lanes in a warp (double precision, conversions of floats, divisions).
std::optional<unsigned> cost_of(const Instruction& instruction) {
  if (instruction.isDebugOrPseudoInst())
    return 0;
  const Type& type = *instruction.getType();
  if (type.isVectorTy() || type.isAggregateType() || type.getPrimitiveSizeInBits() > 64 ||
      !isSafeToSpeculativelyExecute(&instruction))
    return std::nullopt;
  const auto is_double = [](const Value* value) { return value->getType()->isDoubleTy(); };
  switch (instruction.getOpcode()) {
  case Instruction::Trunc:
  case Instruction::BitCast:
  case Instruction::Freeze:
  case Instruction::AddrSpaceCast:
    return 0;
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Select:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::FNeg:
    return words_of(type);
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return words_of(type) * words_of(type);
  case Instruction::ICmp:
    return words_of(*instruction.getOperand(0)->getType());
  case Instruction::GetElementPtr:
    return cast<GetElementPtrInst>(instruction).getNumIndices() * words_of(type);
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FCmp:
    if (any_of(instruction.operand_values(), is_double))
      return std::nullopt;
    return is_contracted(instruction) ? 0 : 1;
  case Instruction::Load: // of what was captured
    return isa<Argument>(base_of(cast<LoadInst>(instruction))) ? std::optional(words_of(type)) : std::nullopt;
  case Instruction::Call: {
    const auto* call = dyn_cast<IntrinsicInst>(&instruction);
    if (call == nullptr || !is_instruction_of_gpu(*call) || is_double(call))
      return std::nullopt;
    return words_of(type);
  }
  default:
    return std::nullopt;
  }
}

/// Of all but its branch; none if some of it is to stay where it is.
std::optional<unsigned> cost_of(const BasicBlock& block) {
  unsigned cost = 0;
  for (const Instruction& instruction : drop_end(block)) {
    const std::optional<unsigned> own = cost_of(instruction);
    if (!own)
      return std::nullopt;
    cost += *own;
  }
  return cost;
}

/// Of \p sides and of the selections at their end; none if some of it is to stay where it is.
std::optional<unsigned> cost_of(ArrayRef<BasicBlock*> sides, const BasicBlock& end) {
  unsigned cost = 0;
  for (const BasicBlock* side : sides) {
    const std::optional<unsigned> own = cost_of(*side);
    if (!own)
      return std::nullopt;
    cost += *own;
  }
  for (const PHINode& phi : end.phis())
    cost += words_of(*phi.getType());
  return cost;
}

bool is_worth_it(const alternative& choice) {
  const bool compares = any_of(choice.sides, [](const BasicBlock* side) {
    return any_of(*side, [](const Instruction& each) { return isa<CmpInst>(each); });
  });
  const std::optional<unsigned> cost = cost_of(choice.sides, *choice.end);
  return compares && cost && *cost <= SELECTED_INSTRUCTIONS;
}

/// One selection of two, if \p chosen is one between another value and \p other, with \p condition for it.
SelectInst* selection_from(Value* chosen, const Value* other) {
  auto* selection = dyn_cast<SelectInst>(chosen);
  return selection != nullptr && selection->hasOneUse() &&
                 !selection->getCondition()->getType()->isVectorTy() &&
                 (selection->getTrueValue() == other || selection->getFalseValue() == other)
             ? selection
             : nullptr;
}

/// \p chosen if \p condition, else \p other. What a side has selected between the same two is not selected
/// twice.
Value* select(IRBuilder<>& builder, Value* condition, Value* chosen, Value* other, FastMathFlags flags,
              const Twine& name) {
  // What tells whether \p inner selects \p same, or does not, and the value that it selects else.
  const auto taken_apart = [&](SelectInst& inner, const Value* same, bool selects_it) {
    const bool is_first = inner.getTrueValue() == same;
    Value* own = inner.getCondition();
    return std::pair(is_first == selects_it ? own : builder.CreateNot(own),
                     is_first ? inner.getFalseValue() : inner.getTrueValue());
  };
  if (SelectInst* inner = selection_from(other, chosen)) {
    const auto [own, rest] = taken_apart(*inner, chosen, true);
    condition = builder.CreateLogicalOr(condition, own);
    other = rest;
  } else if (SelectInst* inner = selection_from(chosen, other)) {
    const auto [own, rest] = taken_apart(*inner, other, false);
    condition = builder.CreateLogicalAnd(condition, own);
    chosen = rest;
  }
  return builder.CreateSelectFMF(condition, chosen, other, flags, name);
}

/// Computes what \p block does, but for its branch, whether it is needed or not.
void speculate(BasicBlock& block, Instruction& before) {
  for (Instruction& instruction : make_early_inc_range(drop_end(block))) {
    instruction.moveBefore(before.getIterator());
    instruction.dropUBImplyingAttrsAndMetadata();
    instruction.dropLocation();
  }
}

void convert(const alternative& choice) {
  BasicBlock& before = *choice.branch->getParent();
  for (BasicBlock* side : choice.sides)
    speculate(*side, *choice.branch);
  const auto source = [&](unsigned successor) {
    BasicBlock* const block = choice.branch->getSuccessor(successor);
    return block == choice.end ? &before : block;
  };
  BasicBlock *const when_true = source(0), *const when_false = source(1);
  IRBuilder<> builder(choice.branch);
  SmallVector<WeakTrackingVH> inner; // of which selections may have taken the place
  for (PHINode& phi : choice.end->phis()) {
    Value *const chosen = phi.getIncomingValueForBlock(when_true), *const other =
                                                                       phi.getIncomingValueForBlock(
                                                                           when_false);
    Value* selected = chosen;
    if (chosen != other) {
      FastMathFlags flags;
      if (isa<FPMathOperator>(phi))
        flags = phi.getFastMathFlags();
      selected = select(builder, choice.branch->getCondition(), chosen, other, flags, phi.getName());
      for (Value* value : {chosen, other})
        if (isa<SelectInst>(value))
          inner.push_back(value);
    }
    if (choice.sides.size() == 1)
      phi.setIncomingValueForBlock(&before, selected);
    else
      phi.addIncoming(selected, &before);
  }
  for (BasicBlock* side : choice.sides)
    choice.end->removePredecessor(side, /*KeepOneInputPHIs=*/true);
  builder.CreateBr(choice.end);
  choice.branch->eraseFromParent();
  for (BasicBlock* side : choice.sides)
    side->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(inner);
}

/// Where all ways from a switch end; null if some do not, or it has many.
BasicBlock* end_of_cases(SwitchInst& choice) {
  BasicBlock& before = *choice.getParent();
  BasicBlock* end = nullptr;
  for (BasicBlock* successor : successors(&before)) {
    BasicBlock* const its = end_of_side(*successor, before);
    BasicBlock* const last = its != nullptr ? its : successor;
    if (end != nullptr && end != last)
      return nullptr;
    end = last;
  }
  return end == &before || choice.getNumCases() > SELECTED_CASES ? nullptr : end;
}

/// Selects by comparisons what the cases of a switch, as its block's end, lead to, however often the program
/// says they are. What is erased is added to \p gone.
bool convert_cases(BasicBlock& before, SmallPtrSetImpl<BasicBlock*>& gone) {
  auto* choice = dyn_cast<SwitchInst>(before.getTerminator());
  BasicBlock* const end = choice != nullptr ? end_of_cases(*choice) : nullptr;
  if (end == nullptr)
    return false;
  SmallVector<BasicBlock*, 4> sides;
  for (BasicBlock* successor : successors(&before))
    if (successor != end)
      sides.push_back(successor);
  const std::optional<unsigned> cost = cost_of(sides, *end);
  if (!cost || *cost > SELECTED_INSTRUCTIONS)
    return false;
  for (BasicBlock* side : sides)
    speculate(*side, *choice);
  IRBuilder<> builder(choice);
  SmallVector<Value*, 4> is_case;
  for (const auto& each : choice->cases())
    is_case.push_back(builder.CreateICmpEQ(choice->getCondition(), each.getCaseValue()));
  const auto source = [&](BasicBlock* successor) { return successor == end ? &before : successor; };
  for (PHINode& phi : end->phis()) {
    Value* const other = phi.getIncomingValueForBlock(source(choice->getDefaultDest()));
    Value* selected = other;
    for (const auto& each : choice->cases()) {
      Value* const chosen = phi.getIncomingValueForBlock(source(each.getCaseSuccessor()));
      if (chosen != other)
        selected = builder.CreateSelect(is_case[each.getCaseIndex()], chosen, selected, phi.getName());
    }
    phi.removeIncomingValueIf(
        [&](unsigned index) {
          BasicBlock* const from = phi.getIncomingBlock(index);
          return from == &before || is_contained(sides, from);
        },
        /*DeletePHIIfEmpty=*/false);
    phi.addIncoming(selected, &before);
  }
  builder.CreateBr(end);
  choice->eraseFromParent();
  gone.insert_range(sides);
  for (BasicBlock* side : sides)
    side->eraseFromParent();
  return true;
}

/// Whether it makes no difference to \p end from which of the two it is entered.
bool has_same_values(const BasicBlock& end, const BasicBlock& one, const BasicBlock& other) {
  return all_of(end.phis(), [&](const PHINode& phi) {
    return phi.getIncomingValueForBlock(&one) == phi.getIncomingValueForBlock(&other);
  });
}

/// Makes one of two tests, of which the second one is made in a block of its own behind the first one, at the
/// end of \p before, and that lead to the same place. What is erased is added to \p gone.
bool unite_tests(BasicBlock& before, SmallPtrSetImpl<BasicBlock*>& gone) {
  auto* first = dyn_cast<BranchInst>(before.getTerminator());
  if (first == nullptr || !first->isConditional())
    return false;
  for (const unsigned side : {0u, 1u}) {
    BasicBlock &inner = *first->getSuccessor(side), &common = *first->getSuccessor(1 - side);
    auto* second = dyn_cast<BranchInst>(inner.getTerminator());
    if (inner.getSinglePredecessor() != &before || second == nullptr || !second->isConditional() ||
        isa<PHINode>(inner.front()) || is_contained({&inner, &common}, &before) || is_rare(*first, inner) ||
        second->getSuccessor(0) == second->getSuccessor(1))
      continue;
    const bool is_first = second->getSuccessor(0) == &common;
    if ((!is_first && second->getSuccessor(1) != &common) || !has_same_values(common, before, inner))
      continue;
    BasicBlock& use = *second->getSuccessor(is_first ? 1 : 0);
    const std::optional<unsigned> cost = cost_of(inner);
    if (&use == &before || &use == &inner || !cost || *cost > SELECTED_INSTRUCTIONS)
      continue;
    speculate(inner, *first);
    IRBuilder<> builder(first);
    Value* const enters = side == 0 ? first->getCondition() : builder.CreateNot(first->getCondition());
    Value* const uses = is_first ? builder.CreateNot(second->getCondition()) : second->getCondition();
    BranchInst* const both = builder.CreateCondBr(builder.CreateLogicalAnd(enters, uses), &use, &common);
    for (const BranchInst* old : {first, second})
      if (MDNode* loop = old->getMetadata(LLVMContext::MD_loop))
        both->setMetadata(LLVMContext::MD_loop, loop);
    common.removePredecessor(&inner, /*KeepOneInputPHIs=*/true);
    use.replacePhiUsesWith(&inner, &before);
    first->eraseFromParent();
    gone.insert(&inner);
    inner.eraseFromParent();
    return true;
  }
  return false;
}

} // namespace

PreservedAnalyses convert_comparing_branches::run(Function& function, FunctionAnalysisManager&) {
  bool has_changed = false;
  // Inner ones first.
  SmallVector<BasicBlock*> blocks(post_order(&function));
  SmallPtrSet<BasicBlock*, 16> gone;
  for (BasicBlock* block : blocks) {
    if (gone.contains(block))
      continue;
    if (convert_cases(*block, gone)) {
      has_changed = true;
      continue;
    }
    while (unite_tests(*block, gone))
      has_changed = true;
    const std::optional<alternative> choice = alternative_behind(*block);
    if (!choice || is_rare(*choice) || !is_worth_it(*choice))
      continue;
    gone.insert_range(choice->sides);
    convert(*choice);
    has_changed = true;
  }
  return has_changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace falx::jit
