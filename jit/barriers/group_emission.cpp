// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What it emits stands at the top of split_barriers.cpp, which makes the regions.
#include "group_emission.hpp"
#include "frontend/kernel_attributes.hpp"
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
  void run_vectors(unsigned number, ArrayRef<Value*> inputs);
  SmallVector<Value*> load_uniforms();
  void run_work_item(IRBuilder<>& at, unsigned number, ArrayRef<Value*> inputs,
                     const work_item_position& item);
  void run_lanes(IRBuilder<>& at, unsigned number, ArrayRef<Value*> inputs, const work_item_position& first,
                 Value* active);
  void store_results(IRBuilder<>& at, Value* results);
  Value* running_flag(IRBuilder<>& at, Value* linear);

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

Value* group_emission::running_flag(IRBuilder<>& at, Value* linear) {
  Value* flags = context_array(at, *group_, context_count(at, *group_, attributes_), *running_);
  return at.CreateInBoundsGEP(at.getInt8Ty(), flags, linear, "running");
}

void group_emission::store_results(IRBuilder<>& at, Value* results) {
  assert(results->getType()->getStructNumElements() > uniforms_.size() &&
         "what comes next, and uniform values");
  at.CreateStore(at.CreateExtractValue(results, 0), next_);
  for (unsigned position = 0; position < uniforms_.size(); ++position)
    at.CreateStore(at.CreateExtractValue(results, position + 1), uniforms_[position]);
}

void group_emission::run_work_item(IRBuilder<>& at, unsigned number, ArrayRef<Value*> inputs,
                                   const work_item_position& item) {
  SmallVector<Value*> arguments = work_item_arguments(*group_, item);
  append_range(arguments, inputs);
  const auto call = [&] { return at.CreateCall(regions_[number].function, arguments); };
  if (running_ == nullptr)
    return store_results(at, call());

  LLVMContext& context = at.getContext();
  BasicBlock* goes_on = BasicBlock::Create(context, "goes.on", group_);
  BasicBlock* after = BasicBlock::Create(context, "after.work_item", group_);
  Value* flag = running_flag(at, item.linear);
  // The first region runs once, before all others.
  if (number != 0) {
    BasicBlock* runs = BasicBlock::Create(context, "runs", group_, goes_on);
    at.CreateCondBr(at.CreateIsNotNull(at.CreateLoad(at.getInt8Ty(), flag)), runs, after);
    at.SetInsertPoint(runs);
  }
  Value* results = call();
  Value* continues =
      at.CreateICmpNE(at.CreateExtractValue(results, 0), at.getInt32(unsigned(regions_.size())));
  at.CreateStore(at.CreateZExt(continues, at.getInt8Ty()), flag);
  at.CreateCondBr(continues, goes_on, after);
  at.SetInsertPoint(goes_on);
  store_results(at, results);
  at.CreateBr(after);
  at.SetInsertPoint(after);
}

/// As run_work_item, for the lanes in \p active. The region's last result says which of them go on.
void group_emission::run_lanes(IRBuilder<>& at, unsigned number, ArrayRef<Value*> inputs,
                               const work_item_position& first, Value* active) {
  SmallVector<Value*> arguments = work_item_arguments(*group_, first);
  append_range(arguments, inputs);
  const auto call = [&](Value* mask) {
    arguments.push_back(mask);
    return at.CreateCall(regions_[number].function, arguments);
  };
  if (running_ == nullptr)
    return store_results(at, call(active));

  LLVMContext& context = at.getContext();
  BasicBlock* runs = BasicBlock::Create(context, "runs", group_);
  BasicBlock* goes_on = BasicBlock::Create(context, "goes.on", group_);
  BasicBlock* after = BasicBlock::Create(context, "after.lanes", group_);
  Value* flags = running_flag(at, first.linear);
  const unsigned lanes = attributes_.lanes;
  auto* bytes = FixedVectorType::get(at.getInt8Ty(), lanes);
  // The first region runs once, before all others.
  if (number != 0)
    active = at.CreateAnd(active, at.CreateIsNotNull(at.CreateAlignedLoad(bytes, flags, Align(1))));
  at.CreateCondBr(at.CreateIsNotNull(at.CreateBitCast(active, at.getIntNTy(lanes))), runs, after);
  at.SetInsertPoint(runs);
  Value* results = call(active);
  Value* continuing = at.CreateExtractValue(results, unsigned(uniforms_.size()) + 1);
  at.CreateAlignedStore(at.CreateZExt(at.CreateBitCast(continuing, active->getType()), bytes), flags,
                        Align(1));
  at.CreateCondBr(at.CreateIsNotNull(continuing), goes_on, after);
  at.SetInsertPoint(goes_on);
  store_results(at, results);
  at.CreateBr(after);
  at.SetInsertPoint(after);
}

void group_emission::run_vectors(unsigned number, ArrayRef<Value*> inputs) {
  emit_lanes_loops(builder_, *group_, attributes_.lanes, repays_two_copies(*regions_[number].function),
                   [&](IRBuilder<>& at, const work_item_position& first, Value* active) {
                     run_lanes(at, number, inputs, first, active);
                   });
}

SmallVector<Value*> group_emission::load_uniforms() {
  SmallVector<Value*> values;
  for (AllocaInst* uniform : uniforms_)
    values.push_back(builder_.CreateLoad(uniform->getAllocatedType(), uniform));
  return values;
}

void group_emission::run_region(unsigned number) {
  const SmallVector<Value*> inputs = load_uniforms();
  if (running_ != nullptr)
    builder_.CreateStore(builder_.getInt32(unsigned(regions_.size())), next_);
  if (attributes_.lanes > 1)
    return run_vectors(number, inputs);
  MDNode* metadata = declare_parallel_accesses(*regions_[number].function);
  emit_work_item_loops(builder_, *group_, metadata, [&](IRBuilder<>& at, const work_item_position& item) {
    run_work_item(at, number, inputs, item);
  });
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
    Value* chosen = next.size() > 1 ? builder_.CreateLoad(builder_.getInt32Ty(), next_) : nullptr;
    if (chosen == nullptr) {
      builder_.CreateBr(blocks[*next.begin()]);
      continue;
    }
    SwitchInst* dispatch = builder_.CreateSwitch(chosen, blocks[*next.rbegin()], unsigned(next.size()));
    for (unsigned target : next)
      if (target != *next.rbegin())
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
