// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops around barriers often begin and end with constants:
//   for (unsigned size = 2; size <= 1024; size *= 2)
//     for (unsigned distance = size / 2; distance > 0; distance /= 2) { barrier(); … }
// Then what regions return (region_results) can be followed from the first one to the kernel's end, here with
// all sizes and distances. Versions of a region for others need not be compiled.

#include "followed_results.hpp"
#include "frontend/kernel_attributes.hpp"
#include "vectorizer/analysis/rematerialisation.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cassert>

using namespace llvm;

namespace falx::jit {

namespace {

class way {
public:
  way(Function& results, ArrayRef<Value*> arguments, BasicBlock& into)
      : results_(results), builder_(&into), values_(builder_, rematerialiser::flags::kept) {
    assert(arguments.size() == results.arg_size() && "results are followed for all arguments");
    for (Argument& each : results.args())
      values_.set(each, *arguments[each.getArgNo()]);
  }
  std::optional<SmallVector<Value*>> follow();

private:
  void enter(BasicBlock& block, BasicBlock* from);
  BasicBlock* leave(Instruction& end);
  std::optional<SmallVector<Value*>> returned(Value& all) const;

  Function& results_;
  IRBuilder<> builder_;
  /// What values of the results are on this way.
  rematerialiser values_;
};

} // namespace

void way::enter(BasicBlock& block, BasicBlock* from) {
  SmallVector<std::pair<Value*, Value*>, 4> phis;
  for (PHINode& phi : block.phis())
    phis.push_back({&phi, values_.emit(*phi.getIncomingValueForBlock(from))});
  for (const auto& [phi, value] : phis)
    values_.set(*phi, *value);
  for (Instruction& step : make_range(block.getFirstNonPHIIt(), block.getTerminator()->getIterator()))
    values_.set(step, *values_.emit_again(step));
}

/// Null if it is not known where to.
BasicBlock* way::leave(Instruction& end) {
  if (auto* branch = dyn_cast<BranchInst>(&end)) {
    if (branch->isUnconditional())
      return branch->getSuccessor(0);
    const auto* condition = dyn_cast<ConstantInt>(values_.emit(*branch->getCondition()));
    return condition != nullptr ? branch->getSuccessor(condition->isZero() ? 1 : 0) : nullptr;
  }
  auto* choice = dyn_cast<SwitchInst>(&end);
  auto* condition =
      choice != nullptr ? dyn_cast<ConstantInt>(values_.emit(*choice->getCondition())) : nullptr;
  return condition != nullptr ? choice->findCaseValue(condition)->getCaseSuccessor() : nullptr;
}

std::optional<SmallVector<Value*>> way::returned(Value& all) const {
  const auto* type = dyn_cast<StructType>(all.getType());
  if (type == nullptr)
    return SmallVector<Value*>{&all};
  SmallVector<Value*> fields;
  for (unsigned index = 0; index < type->getNumElements(); ++index)
    fields.push_back(FindInsertedValue(&all, index));
  if (is_contained(fields, nullptr))
    return std::nullopt;
  return fields;
}

std::optional<SmallVector<Value*>> way::follow() {
  constexpr unsigned MOST_BLOCKS = 32;
  BasicBlock *block = &results_.getEntryBlock(), *from = nullptr;
  for (unsigned blocks = 0; block != nullptr && blocks < MOST_BLOCKS; ++blocks) {
    enter(*block, from);
    if (auto* end = dyn_cast<ReturnInst>(block->getTerminator()))
      return returned(*values_.emit(*end->getReturnValue()));
    from = block;
    block = leave(*block->getTerminator());
  }
  return std::nullopt;
}

std::optional<SmallVector<Value*>> follow_results(Function& results, ArrayRef<Value*> arguments,
                                                  BasicBlock& block) {
  return way(results, arguments, block).follow();
}

/// Follows all regions, for \p arguments.
static std::optional<BitVector> follow_regions(ArrayRef<region> regions, unsigned number,
                                               SmallVector<Value*> arguments, BasicBlock& block) {
  constexpr unsigned MOST_STEPS = 256;
  const simd::uniform_versions& versions = regions[number].versions;
  BitVector reached(unsigned(versions.copies.size()) + 1);
  // Steps behind the first one of a version that runs several.
  unsigned skipped = 0;
  for (unsigned current = 0, step = 0; step < MOST_STEPS; ++step) {
    if (current == regions.size())
      return reached;
    if (skipped > 0) {
      --skipped;
    } else if (current == number) {
      const auto chosen = follow_results(*versions.dispatcher, arguments, block);
      const auto* version = chosen ? dyn_cast<ConstantInt>(chosen->front()) : nullptr;
      if (version == nullptr)
        return std::nullopt;
      const auto index = unsigned(version->getZExtValue());
      assert(index < reached.size() && "the choice is among the versions");
      reached.set(index);
      skipped = index < versions.copies.size() ? versions.copies[index].steps - 1 : 0;
    }
    if (regions[current].results == nullptr)
      return std::nullopt;
    const auto next = follow_results(*regions[current].results, arguments, block);
    const auto* region = next ? dyn_cast<ConstantInt>(next->front()) : nullptr;
    if (region == nullptr)
      return std::nullopt;
    current = unsigned(region->getZExtValue());
    assert(current <= regions.size() && "there is no such region");
    copy(drop_begin(*next), arguments.begin() + PARAMETER_COUNT);
  }
  return std::nullopt;
}

std::optional<BitVector> reached_versions(ArrayRef<region> regions, unsigned number) {
  const Function& dispatcher = *regions[number].versions.dispatcher;
  Function* scratch = Function::Create(dispatcher.getFunctionType(), Function::InternalLinkage, "scratch",
                                       regions[number].function->getParent());
  BasicBlock* block = BasicBlock::Create(scratch->getContext(), "entry", scratch);
  SmallVector<Value*> arguments;
  for (Argument& each : scratch->args())
    arguments.push_back(&each);
  std::optional<BitVector> reached = follow_regions(regions, number, std::move(arguments), *block);
  scratch->eraseFromParent();
  return reached;
}

} // namespace falx::jit
