// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of a butterfly at small distances stay within a vector, so that vectors need not wait for each other
// between them. From
//   define internal { i32, i32, i64 } @kernel.region.1(…, i32 %size, i64 %distance)
//   define internal { i32, i32, i64 } @kernel.region.1.results(…, i32 %size, i64 %distance) {
//     %next = lshr i64 %distance, 1
//     …                                               ; if it is not 0:
//     ret { i32, i32, i64 } { 1, %size, %next }
// and copies of the region for the distances 4, 2 and 1 comes, for vectors of 4 lanes,
//   define internal { i32, i32, i64 } @kernel.region.1.joined(…, i32 %size, i64 %distance) {
//     %multiple = and i32 %size, -8
//     call @kernel.region.1.for.4(…, %multiple, 4)    ; inlined
//     call @kernel.region.1.for.2(…, %multiple, 2)
//     call @kernel.region.1.for.1(…, %multiple, 1)
// A vector then keeps in registers what it passes on from one step to the next.
//
// Why it is right: all lanes of a vector complete a step before any begins the next, as they go through the
// function together; and a vector meets no other one in any of the steps (vectors_keep_apart), so it does not
// matter which steps the others have done.

#include "joined_steps.hpp"
#include "passes/artificial_function.hpp"
#include "passes/kernel_attributes.hpp"
#include "vector_footprint.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <bit>

using namespace llvm;

namespace falx::jit::simd {

namespace {

class step_joining {
public:
  explicit step_joining(const repeated_region& repeated) : repeated_(repeated) {}
  joined_steps run(std::uint64_t first);

private:
  void create();
  void find_steps(std::uint64_t first);
  bool follow(const SmallVector<Value*>& arguments);
  Value* value_of(Value* original) const;
  std::uint64_t distance_of(ArrayRef<Value*> arguments) const;

  const repeated_region& repeated_;
  Function* joined_ = nullptr;
  /// By step: what the region is called with.
  SmallVector<SmallVector<Value*>> steps_;
  /// Of the results: what their instructions are in the joined function.
  DenseMap<Value*, Value*> values_;
};

} // namespace

/// Instructions of the joined function, up to which it costs little to compile.
constexpr unsigned SMALL = 240;

void step_joining::create() {
  Function& region = repeated_.region;
  joined_ = Function::Create(region.getFunctionType(), Function::InternalLinkage,
                             region.getName() + ".joined", region.getParent());
  joined_->copyAttributesFrom(&region);
  for (const auto& [ours, theirs] : zip(joined_->args(), region.args()))
    ours.setName(theirs.getName());
  BasicBlock::Create(region.getContext(), "entry", joined_);
}

/// 0 if it is not known, no power of two, or too large.
std::uint64_t step_joining::distance_of(ArrayRef<Value*> arguments) const {
  const auto* constant = dyn_cast<ConstantInt>(arguments[repeated_.distance.getArgNo()]);
  if (constant == nullptr || constant->getValue().ugt(repeated_.lanes) || !constant->getValue().isPowerOf2())
    return 0;
  return constant->getZExtValue();
}

Value* step_joining::value_of(Value* original) const {
  Value* ours = values_.lookup(original);
  return ours != nullptr ? ours : original;
}

/// Goes the way that the results go for \p arguments, and adds what they return to the steps. False if a
/// branch depends on something else, or if another region comes next.
bool step_joining::follow(const SmallVector<Value*>& arguments) {
  constexpr unsigned MOST_BLOCKS = 32;
  values_.clear();
  for (Argument& each : repeated_.results.args())
    values_[&each] = arguments[each.getArgNo()];
  const SimplifyQuery query(joined_->getDataLayout());
  BasicBlock *block = &repeated_.results.getEntryBlock(), *from = nullptr;
  for (unsigned blocks = 0; blocks < MOST_BLOCKS; ++blocks) {
    SmallVector<std::pair<Value*, Value*>, 4> phis;
    for (PHINode& phi : block->phis())
      phis.push_back({&phi, value_of(phi.getIncomingValueForBlock(from))});
    for (const auto& [phi, value] : phis)
      values_[phi] = value;
    for (Instruction& step : make_range(block->getFirstNonPHIIt(), block->getTerminator()->getIterator())) {
      if (isa<DbgInfoIntrinsic>(step))
        continue;
      Instruction* copy = step.clone();
      copy->setDebugLoc(DebugLoc());
      copy->insertInto(&joined_->getEntryBlock(), joined_->getEntryBlock().end());
      for (Use& operand : copy->operands())
        operand.set(value_of(operand.get()));
      Value* simple = simplifyInstruction(copy, query);
      if (simple != nullptr)
        copy->eraseFromParent();
      values_[&step] = simple != nullptr ? simple : copy;
    }
    Instruction* end = block->getTerminator();
    if (auto* result = dyn_cast<ReturnInst>(end)) {
      Value* all = value_of(result->getReturnValue());
      SmallVector<Value*> next = arguments;
      const auto* number = dyn_cast_or_null<ConstantInt>(FindInsertedValue(all, 0));
      if (number == nullptr || number->getZExtValue() != repeated_.number)
        return false;
      for (unsigned index = PARAMETER_COUNT; index < next.size(); ++index)
        if (next[index] = FindInsertedValue(all, index - PARAMETER_COUNT + 1); next[index] == nullptr)
          return false;
      steps_.push_back(std::move(next));
      return true;
    }
    from = block;
    if (const auto* branch = dyn_cast<BranchInst>(end)) {
      const auto* condition =
          branch->isConditional() ? dyn_cast<ConstantInt>(value_of(branch->getCondition())) : nullptr;
      if (branch->isConditional() && condition == nullptr)
        return false;
      block = branch->getSuccessor(condition != nullptr && condition->isZero() ? 1 : 0);
    } else if (auto* choice = dyn_cast<SwitchInst>(end)) {
      auto* condition = dyn_cast<ConstantInt>(value_of(choice->getCondition()));
      if (condition == nullptr)
        return false;
      block = choice->findCaseValue(condition)->getCaseSuccessor();
    } else {
      return false;
    }
  }
  return false;
}

void step_joining::find_steps(std::uint64_t first) {
  SmallVector<Value*> arguments;
  for (Argument& each : joined_->args())
    arguments.push_back(&each);
  IRBuilder<> builder(&joined_->getEntryBlock());
  for (const Argument* each : repeated_.others) {
    Value*& ours = arguments[each->getArgNo()];
    const std::int64_t multiples = -2 * std::int64_t(repeated_.lanes);
    ours = builder.CreateAnd(ours, ConstantInt::getSigned(ours->getType(), multiples), "multiple");
  }
  const unsigned at = repeated_.distance.getArgNo();
  arguments[at] = ConstantInt::get(arguments[at]->getType(), first);
  steps_.push_back(std::move(arguments));
  const unsigned most = std::min<unsigned>(unsigned(std::countr_zero(repeated_.lanes)) + 1,
                                           SMALL / repeated_.region.getInstructionCount());
  while (follow(SmallVector<Value*>(steps_.back())))
    if (steps_.size() > most || distance_of(steps_.back()) == 0) {
      steps_.pop_back();
      return;
    }
}

joined_steps step_joining::run(std::uint64_t first) {
  create();
  find_steps(first);
  joined_steps result = {joined_, unsigned(steps_.size()), first};
  SmallVector<CallInst*> calls;
  if (steps_.size() > 1) {
    IRBuilder<> builder(&joined_->getEntryBlock());
    describe_artificial_function(*joined_, repeated_.region, builder);
    for (ArrayRef<Value*> arguments : steps_)
      calls.push_back(builder.CreateCall(&repeated_.for_distance(distance_of(arguments)), arguments));
    builder.CreateRet(PoisonValue::get(joined_->getReturnType()));
  }
  for (CallInst* call : calls) {
    InlineFunctionInfo inlining;
    if (!InlineFunction(*call, inlining).isSuccess())
      result.function = nullptr;
  }
  if (calls.empty() || result.function == nullptr ||
      !vectors_keep_apart(*joined_, repeated_.lanes, repeated_.work_items)) {
    joined_->eraseFromParent();
    return {};
  }
  for (BasicBlock& block : *joined_)
    for (Instruction& instruction : make_early_inc_range(reverse(block)))
      if (isInstructionTriviallyDead(&instruction))
        instruction.eraseFromParent();
  return result;
}

joined_steps join_steps(const repeated_region& repeated) {
  // Distances that shrink, distances that grow.
  for (const std::uint64_t first : {std::uint64_t(repeated.lanes), std::uint64_t(1)})
    if (joined_steps result = step_joining(repeated).run(first); result.function != nullptr)
      return result;
  return {};
}

} // namespace falx::jit::simd
