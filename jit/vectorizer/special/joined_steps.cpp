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
#include "followed_results.hpp"
#include "frontend/artificial_function.hpp"
#include "frontend/kernel_attributes.hpp"
#include "pipeline/invariants.hpp"
#include "vector_footprint.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <bit>
#include <cassert>
#include <optional>

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
  bool follow(SmallVector<Value*> arguments);
  Function* results_before_last(std::uint64_t first) const;
  std::uint64_t distance_of(ArrayRef<Value*> arguments) const;

  const repeated_region& repeated_;
  Function* joined_ = nullptr;
  /// By step: what the region is called with.
  SmallVector<SmallVector<Value*>> steps_;
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

/// Adds what the region is called with next to the steps, if that is the same region.
bool step_joining::follow(SmallVector<Value*> arguments) {
  const std::optional<SmallVector<Value*>> next =
      follow_results(repeated_.results, arguments, joined_->getEntryBlock());
  if (!next)
    return false;
  const auto* number = dyn_cast<ConstantInt>(next->front());
  if (number == nullptr || number->getZExtValue() != repeated_.number)
    return false;
  assert(next->size() - 1 == arguments.size() - PARAMETER_COUNT && "a region returns what it needs next");
  copy(drop_begin(*next), arguments.begin() + PARAMETER_COUNT);
  steps_.push_back(std::move(arguments));
  return true;
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
  while (follow(steps_.back()))
    if (steps_.size() > most || distance_of(steps_.back()) == 0) {
      steps_.pop_back();
      return;
    }
}

/// The results of all steps but the last one, without branches.
Function* step_joining::results_before_last(std::uint64_t first) const {
  Function& results = repeated_.results;
  Function* all = Function::Create(results.getFunctionType(), Function::InternalLinkage,
                                   joined_->getName() + ".results", results.getParent());
  all->copyAttributesFrom(&results);
  BasicBlock* block = BasicBlock::Create(all->getContext(), "entry", all);
  SmallVector<Value*> arguments, returned;
  for (Argument& each : all->args())
    arguments.push_back(&each);
  const unsigned at = repeated_.distance.getArgNo();
  arguments[at] = ConstantInt::get(arguments[at]->getType(), first);
  for (unsigned step = 1; step < steps_.size(); ++step) {
    returned = *follow_results(results, arguments, *block);
    copy(drop_begin(returned), arguments.begin() + PARAMETER_COUNT);
  }
  IRBuilder<> builder(block);
  builder.CreateAggregateRet(returned.data(), unsigned(returned.size()));
  return all;
}

joined_steps step_joining::run(std::uint64_t first) {
  create();
  find_steps(first);
  joined_steps result = {joined_, nullptr, unsigned(steps_.size()), first};
  SmallVector<CallInst*> calls;
  if (steps_.size() > 1) {
    IRBuilder<> builder(&joined_->getEntryBlock());
    describe_artificial_function(*joined_, repeated_.region, builder);
    assert(all_of(steps_, [&](ArrayRef<Value*> arguments) { return distance_of(arguments) != 0; }) &&
           "there are copies for distances within a vector alone");
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
  result.results = results_before_last(first);
  assert(is_valid(*joined_) && is_valid(*result.results) && "the joined steps are not valid");
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
