// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What it emits stands at the top of split_barriers.cpp, which makes the regions.
#include "regions.hpp"
#include "vectorizer/analysis/parallel_accesses.hpp"
#include "vectorizer/control/work_item_loops.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <cassert>

using namespace llvm;

namespace falx::jit {

namespace {

/// Emits the function that runs the regions for a group.
class group_emission {
public:
  group_emission(Function& work_item, ArrayRef<region> regions, ArrayRef<Type*> uniform_types,
                 const context_slot* running)
      : regions_(regions), running_(running), builder_(work_item.getContext()),
        group_(create_group_function(work_item, builder_)), attributes_(kernel_attributes::read(*group_)) {
    next_ = builder_.CreateAlloca(builder_.getInt32Ty(), nullptr, "next");
    for (Type* type : uniform_types)
      uniforms_.push_back(builder_.CreateAlloca(type, nullptr, "uniform"));
  }
  Function* emit();

private:
  void run_region(unsigned number);
  void run(IRBuilder<>& at, unsigned number, ArrayRef<Value*> inputs, const work_item_position& first,
           Value* active);
  Value* call(IRBuilder<>& at, unsigned number, SmallVector<Value*> arguments, Value* active,
              bool two_copies);
  void store_results(IRBuilder<>& at, Value* results);

  ArrayRef<region> regions_;
  /// Null if work-items only return together.
  const context_slot* running_;
  IRBuilder<> builder_;
  Function* group_;
  kernel_attributes attributes_;
  AllocaInst* next_ = nullptr;
  SmallVector<AllocaInst*> uniforms_;
};

} // namespace

void group_emission::store_results(IRBuilder<>& at, Value* results) {
  assert(results->getType()->getStructNumElements() > uniforms_.size() &&
         "what comes next, and uniform values");
  at.CreateStore(at.CreateExtractValue(results, 0), next_);
  for (unsigned position = 0; position < uniforms_.size(); ++position)
    at.CreateStore(at.CreateExtractValue(results, position + 1), uniforms_[position]);
}

/// Calls the region. Of lanes those that are \p active run; with \p two_copies the region is there once more
/// for all of them, without masks.
Value* group_emission::call(IRBuilder<>& at, unsigned number, SmallVector<Value*> arguments, Value* active,
                            bool two_copies) {
  Function* region = regions_[number].function;
  if (attributes_.lanes == 1)
    return at.CreateCall(region, arguments);
  arguments.push_back(active);
  if (!two_copies)
    return at.CreateCall(region, arguments);
  BasicBlock* all = BasicBlock::Create(at.getContext(), "all", group_);
  BasicBlock* some = BasicBlock::Create(at.getContext(), "some", group_);
  BasicBlock* called = BasicBlock::Create(at.getContext(), "called", group_);
  at.CreateCondBr(at.CreateICmpEQ(at.CreateBitCast(active, at.getIntNTy(attributes_.lanes)),
                                  Constant::getAllOnesValue(at.getIntNTy(attributes_.lanes))),
                  all, some);
  at.SetInsertPoint(some);
  Value* of_some = at.CreateCall(region, arguments);
  at.CreateBr(called);
  at.SetInsertPoint(all);
  arguments.back() = Constant::getAllOnesValue(active->getType());
  Value* of_all = at.CreateCall(region, arguments);
  at.CreateBr(called);
  at.SetInsertPoint(called);
  PHINode* results = at.CreatePHI(of_all->getType(), 2);
  results->addIncoming(of_all, all);
  results->addIncoming(of_some, some);
  return results;
}

/// \p active: a bit per lane of the lanes from \p first on, or that the one work-item is there. Of lanes, the
/// region's last result says which go on.
void group_emission::run(IRBuilder<>& at, unsigned number, ArrayRef<Value*> inputs,
                         const work_item_position& first, Value* active) {
  const unsigned lanes = attributes_.lanes;
  SmallVector<Value*> arguments = work_item_arguments(*group_, first);
  append_range(arguments, inputs);
  if (running_ == nullptr)
    return store_results(at, call(at, number, std::move(arguments), active, /*two_copies=*/false));

  LLVMContext& context = at.getContext();
  BasicBlock* runs = BasicBlock::Create(context, "runs", group_);
  BasicBlock* goes_on = BasicBlock::Create(context, "goes.on", group_);
  BasicBlock* after = BasicBlock::Create(context, "after", group_);
  Value* flags = context_array(at, *group_, context_count(at, *group_, attributes_), *running_);
  flags = at.CreateInBoundsGEP(at.getInt8Ty(), flags, first.linear, "running");
  Type* bytes = active->getType()->getWithNewType(at.getInt8Ty());
  // The first region runs once, before all others.
  const bool some_may_rest = number != 0 && isa<Constant>(active);
  if (number != 0)
    active = at.CreateAnd(active, at.CreateIsNotNull(at.CreateAlignedLoad(bytes, flags, Align(1))));
  at.CreateCondBr(at.CreateIsNotNull(at.CreateBitCast(active, at.getIntNTy(lanes))), runs, after);
  at.SetInsertPoint(runs);
  Value* results = call(at, number, std::move(arguments), active,
                        some_may_rest && regions_[number].function->hasFnAttribute(TWO_COPIES));
  Value* continuing =
      lanes > 1 ? at.CreateExtractValue(results, unsigned(uniforms_.size()) + 1)
                : at.CreateICmpNE(at.CreateExtractValue(results, 0), at.getInt32(unsigned(regions_.size())));
  at.CreateAlignedStore(at.CreateZExt(at.CreateBitCast(continuing, active->getType()), bytes), flags,
                        Align(1));
  at.CreateCondBr(at.CreateIsNotNull(continuing), goes_on, after);
  at.SetInsertPoint(goes_on);
  store_results(at, results);
  at.CreateBr(after);
  at.SetInsertPoint(after);
}

void group_emission::run_region(unsigned number) {
  SmallVector<Value*> inputs;
  for (AllocaInst* uniform : uniforms_)
    inputs.push_back(builder_.CreateLoad(uniform->getAllocatedType(), uniform));
  if (running_ != nullptr)
    builder_.CreateStore(builder_.getInt32(unsigned(regions_.size())), next_);
  Function& region = *regions_[number].function;
  if (attributes_.lanes > 1)
    return emit_lanes_loops(builder_, *group_, attributes_.lanes, region.hasFnAttribute(TWO_COPIES),
                            [&](IRBuilder<>& at, const work_item_position& first, Value* active) {
                              run(at, number, inputs, first, active);
                            });
  emit_work_item_loops(
      builder_, *group_, around_work_items(region, attributes_),
      [&](IRBuilder<>& at, const work_item_position& item) { run(at, number, inputs, item, at.getTrue()); });
}

Function* group_emission::emit() {
  assert(!regions_.empty() && all_of(regions_, [&](const region& each) {
    return each.next.empty() || *each.next.rbegin() <= regions_.size();
  }) && "regions lead to regions, or to the end");
  LLVMContext& context = builder_.getContext();
  SmallVector<BasicBlock*> blocks;
  for (unsigned number = 0; number < regions_.size(); ++number)
    blocks.push_back(BasicBlock::Create(context, "region." + Twine(number), group_));
  blocks.push_back(BasicBlock::Create(context, "done", group_));
  builder_.CreateBr(blocks.front());
  for (unsigned number = 0; number < regions_.size(); ++number) {
    builder_.SetInsertPoint(blocks[number]);
    run_region(number);
    // Only to where this region can lead: so loops of the kernel become loops of the group function.
    const std::set<unsigned>& next = regions_[number].next;
    if (next.empty()) {
      builder_.CreateUnreachable();
      continue;
    }
    if (next.size() == 1) {
      builder_.CreateBr(blocks[*next.begin()]);
      continue;
    }
    SwitchInst* dispatch =
        builder_.CreateSwitch(builder_.CreateLoad(builder_.getInt32Ty(), next_), blocks[*next.rbegin()]);
    for (const unsigned target : drop_end(next))
      dispatch->addCase(builder_.getInt32(target), blocks[target]);
  }
  builder_.SetInsertPoint(blocks.back());
  builder_.CreateRetVoid();

  SmallVector<AllocaInst*> allocas(uniforms_);
  allocas.push_back(next_);
  removeUnreachableBlocks(*group_);
  assert(all_of(allocas, [](AllocaInst* each) { return isAllocaPromotable(each); }) &&
         "what is kept for the group is loaded and stored, nothing else");
  DominatorTree dominators(*group_);
  PromoteMemToReg(allocas, dominators);
  return group_;
}

Function* emit_group_function(Function& work_item, ArrayRef<region> regions, ArrayRef<Type*> uniform_types,
                              const context_slot* running) {
  return group_emission(work_item, regions, uniform_types, running).emit();
}

} // namespace falx::jit
