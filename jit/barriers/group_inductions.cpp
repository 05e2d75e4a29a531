// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grid-stride loop with barriers: each work-item has its own %i, which would wait in memory at each
// barrier, where the vectoriser no longer sees that lanes' are neighbours. What they do not have in common
// does not change in the loop.
//
// Before:                                                After:
//   %first = add i64 %base, %index.x
//   loop:                                                  loop:
//     %i = phi i64 [ %first, … ], [ %next, … ]               %i.group = phi i64 [ %base, … ], [ %n.group, … ]
//                                                            %i = add i64 %i.group, %index.x
//     call void @__falx_work_group_barrier()                 call void @__falx_work_group_barrier()
//     %next = add i64 %i, %step                              %n.group = add i64 %i.group, %step
//
// %i.group and %i are right modulo 2^bits whatever wraps. They keep that nothing wraps where all that is
// added is known not to be negative: then no sum on the way is larger than the value that it leads to.

#include "async_barriers.hpp"
#include "frontend/builtin_calls.hpp"
#include "frontend/kernel_attributes.hpp"
#include "passes.hpp"
#include "pipeline/nested_passes.hpp"
#include "vectorizer/analysis/uniformity.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>
#include <optional>

using namespace llvm;

namespace falx::jit {

namespace {

/// What one instruction adds to an induction variable, or subtracts.
struct induction_step {
  Instruction* at = nullptr;
  /// Null for an address' offset.
  Value* added = nullptr;
};

/// One way round a loop, in order of execution.
struct induction {
  PHINode* phi = nullptr;
  SmallVector<induction_step, 2> steps;
};

/// A sum's parts: what is the group's, and what is each work-item's.
struct parts_of_sum {
  Value *of_group = nullptr, *of_work_item = nullptr;
};

class induction_separation {
public:
  induction_separation(Function& work_item, LoopInfo& loops)
      : layout_(work_item.getDataLayout()), loops_(loops), uniform_(work_item) {}
  bool run();

private:
  std::optional<induction_step> group_step(Instruction& step) const;
  std::optional<induction> find_induction(PHINode& phi, const Loop& loop) const;
  parts_of_sum take_apart(IRBuilder<>& builder, Value& sum, unsigned depth = 0);
  void separate(const induction& found, const Loop& loop);

  const DataLayout& layout_;
  LoopInfo& loops_;
  uniformity uniform_;
};

} // namespace

/// The operand that \p step adds something to.
static Value* augend_of(const induction_step& step) {
  const bool is_second = step.added != nullptr && step.at->getOperand(0) == step.added;
  return step.at->getOperand(is_second ? 1 : 0);
}

/// If all work-items that get to \p step add the same there.
std::optional<induction_step> induction_separation::group_step(Instruction& step) const {
  const auto is_uniform = [&](const Use& value) { return uniform_.is_uniform(value); };
  if (auto* address = dyn_cast<GetElementPtrInst>(&step);
      address != nullptr && !address->getType()->isVectorTy())
    return all_of(address->indices(), is_uniform) ? std::optional<induction_step>({address, nullptr})
                                                  : std::nullopt;
  if (step.getOpcode() != Instruction::Add && step.getOpcode() != Instruction::Sub)
    return std::nullopt;
  if (is_uniform(step.getOperandUse(1)))
    return induction_step{&step, step.getOperand(1)};
  if (step.getOpcode() == Instruction::Add && is_uniform(step.getOperandUse(0)))
    return induction_step{&step, step.getOperand(0)};
  return std::nullopt;
}

/// For a variable that differs between work-items, and does so when the loop begins.
std::optional<induction> induction_separation::find_induction(PHINode& phi, const Loop& loop) const {
  if (!(phi.getType()->isIntegerTy() || phi.getType()->isPointerTy()) ||
      uniform_.is_uniform(phi.getIncomingValueForBlock(loop.getLoopPreheader())))
    return std::nullopt;
  induction result{&phi, {}};
  for (Value* value = phi.getIncomingValueForBlock(loop.getLoopLatch()); value != &phi;
       value = augend_of(result.steps.back())) {
    auto* step = dyn_cast<Instruction>(value);
    if (step == nullptr || !loop.contains(step))
      return std::nullopt;
    const std::optional<induction_step> found = group_step(*step);
    if (!found)
      return std::nullopt;
    result.steps.push_back(*found);
  }
  std::reverse(result.steps.begin(), result.steps.end());
  return result;
}

/// Null for a part that is 0.
parts_of_sum induction_separation::take_apart(IRBuilder<>& builder, Value& sum, unsigned depth) {
  constexpr unsigned MOST_DEPTH = 6;
  if (uniform_.is_uniform(&sum))
    return {&sum, nullptr};
  auto* step = dyn_cast<Instruction>(&sum);
  if (step == nullptr || depth == MOST_DEPTH)
    return {nullptr, &sum};
  const auto* bits = dyn_cast<PossiblyDisjointInst>(step);
  const bool adds = step->getOpcode() == Instruction::Add || (bits != nullptr && bits->isDisjoint());
  if (adds || step->getOpcode() == Instruction::Sub) {
    const parts_of_sum left = take_apart(builder, *step->getOperand(0), depth + 1);
    const parts_of_sum right = take_apart(builder, *step->getOperand(1), depth + 1);
    const auto join = [&](Value* first, Value* second) -> Value* {
      if (second == nullptr)
        return first;
      if (first == nullptr && adds)
        return second;
      if (first == nullptr)
        return builder.CreateNeg(second);
      return adds ? builder.CreateAdd(first, second) : builder.CreateSub(first, second);
    };
    return {join(left.of_group, right.of_group), join(left.of_work_item, right.of_work_item)};
  }
  if (isa<TruncInst>(step)) {
    const parts_of_sum wide = take_apart(builder, *step->getOperand(0), depth + 1);
    if (wide.of_group == nullptr)
      return {nullptr, &sum};
    return {builder.CreateTrunc(wide.of_group, step->getType()),
            builder.CreateTrunc(wide.of_work_item, step->getType())};
  }
  return {nullptr, &sum};
}

/// \p first, its \p parts and all that is added later are numbers from 0, and no sum of them wraps: that of
/// two such parts would be negative.
static bool only_grows(const induction& found, const Value& first, const parts_of_sum& parts,
                       const DataLayout& layout) {
  const SimplifyQuery query(layout);
  return isKnownNonNegative(&first, query) && isKnownNonNegative(parts.of_group, query) &&
         isKnownNonNegative(parts.of_work_item, query) &&
         all_of(found.steps, [&](const induction_step& step) {
           return step.at->getOpcode() == Instruction::Add && step.at->hasNoSignedWrap() &&
                  isKnownNonNegative(step.added, query);
         });
}

void induction_separation::separate(const induction& found, const Loop& loop) {
  PHINode& phi = *found.phi;
  BasicBlock* before = loop.getLoopPreheader();
  Value* first = phi.getIncomingValueForBlock(before);
  const bool is_address = phi.getType()->isPointerTy();
  Type* type = is_address ? layout_.getIndexType(phi.getType()) : phi.getType();
  IRBuilder<> builder(before->getTerminator());
  parts_of_sum parts = is_address ? parts_of_sum{nullptr, first} : take_apart(builder, *first);
  if (parts.of_group == nullptr)
    parts.of_group = ConstantInt::getNullValue(type);
  const bool never_wraps = !is_address && only_grows(found, *first, parts, layout_);

  PHINode* of_group = PHINode::Create(type, 2, phi.getName() + ".group", phi.getIterator());
  of_group->addIncoming(parts.of_group, before);
  Value* next = of_group;
  for (const induction_step& step : found.steps) {
    builder.SetInsertPoint(step.at);
    Value* added = step.added != nullptr ? step.added : emitGEPOffset(&builder, layout_, step.at, true);
    next = step.at->getOpcode() == Instruction::Sub
               ? builder.CreateSub(next, added)
               : builder.CreateAdd(next, added, "next.group", never_wraps, never_wraps);
  }
  of_group->addIncoming(next, loop.getLoopLatch());

  builder.SetInsertPoint(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  Value* whole = is_address ? builder.CreatePtrAdd(first, of_group)
                            : builder.CreateAdd(of_group, parts.of_work_item, "", never_wraps, never_wraps);
  whole->takeName(&phi);
  WeakTrackingVH last = phi.getIncomingValueForBlock(loop.getLoopLatch());
  phi.replaceAllUsesWith(whole);
  phi.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(last);
}

bool induction_separation::run() {
  // Loops inside others come first: what they begin with may be the others' variables, as they are.
  SmallVector<std::pair<induction, const Loop*>> inductions;
  const SmallVector<Loop*, 4> loops = loops_.getLoopsInPreorder();
  for (const Loop* loop : reverse(loops))
    if (loop->getLoopPreheader() != nullptr && loop->getLoopLatch() != nullptr &&
        have_group_barrier(loop->getBlocks()))
      for (PHINode& phi : loop->getHeader()->phis())
        if (std::optional<induction> found = find_induction(phi, *loop))
          inductions.emplace_back(std::move(*found), loop);
  for (const auto& [found, loop] : inductions)
    separate(found, *loop);
  return !inductions.empty();
}

void separate_inductions::change(Function& work_item, FunctionAnalysisManager& analyses) {
  if (kernel_attributes::read(work_item).kind != kernel_kind::nd_range || has_async_barriers(work_item))
    return;
  LoopInfo& loops = analyses.getResult<LoopAnalysis>(work_item);
  if (none_of(loops, [](const Loop* loop) { return have_group_barrier(loop->getBlocks()); }))
    return;
  DominatorTree& dominators = analyses.getResult<DominatorTreeAnalysis>(work_item);
  for (Loop* loop : loops)
    formLCSSARecursively(*loop, dominators, &loops, nullptr);
  if (!induction_separation(work_item, loops).run())
    return;
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(LCSSAPass()); // single phis are simplified, too
  run_nested(std::move(passes), work_item, analyses);
}

} // namespace falx::jit
