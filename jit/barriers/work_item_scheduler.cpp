// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After, for a kernel with regions 0 and 1:
//   define internal void @kernel.group(…) {
//     put all work-items into the list of those that can run, each to resume in region 0
//   pick:
//     if that list is empty, go to idle; else take its first work-item
//     switch i32 %resume, label %region.0 [ i32 1, label %region.1 ]
//   region.1:
//     %next = call { i32 } @kernel.region.1(…)
//     by what comes next:
//       the kernel's end            one unfinished work-item less
//       behind a wait               nothing: the region has put it into the barrier's list
//       behind a yield              to the end of those that can run
//       behind a group barrier      to those that have gathered there
//     br label %pick
//   idle:
//     none unfinished: return
//     all of them gathered: they can run
//     else none ever will: tell the runtime and return
//
// Every work-item is in one list at most, so links are stored once per work-item.

#include "regions.hpp"
#include "targets/cpu/cpu_abi.hpp"
#include "vectorizer/control/work_item_loops.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <cassert>
#include <cstddef>

using namespace llvm;

namespace falx::jit {

namespace {

class scheduler_emission {
public:
  scheduler_emission(Function& work_item, ArrayRef<region> regions, const scheduling& lists)
      : regions_(regions), lists_(lists), builder_(work_item.getContext()),
        group_(create_group_function(work_item, builder_)), attributes_(kernel_attributes::read(*group_)) {}
  Function* emit();

private:
  void find_lists();
  void start_all();
  void pick();
  void run_region(unsigned number);
  void go_to(unsigned next);
  void idle();
  void report_deadlock();

  BasicBlock* block(const Twine& name) { return BasicBlock::Create(builder_.getContext(), name, group_); }
  Value* element(Value* array, Value* index) {
    return builder_.CreateInBoundsGEP(builder_.getInt32Ty(), array, index);
  }
  /// Of a work-item's number, which is not 0.
  Value* link_of(Value* number) {
    Value* index = builder_.CreateSub(number, builder_.getInt32(1), "", true, true);
    return element(links_, builder_.CreateZExt(index, builder_.getInt64Ty()));
  }
  LoadInst* load(Value* address, const Twine& name = "") {
    return builder_.CreateAlignedLoad(builder_.getInt32Ty(), address, Align(4), name);
  }
  void store(Value* value, Value* address) { builder_.CreateAlignedStore(value, address, Align(4)); }
  void append(Value* list);
  void count(AllocaInst* counter, int change) {
    Value* value = load(counter);
    store(builder_.CreateAdd(value, builder_.getInt32(std::uint32_t(change))), counter);
  }
  work_item_position position();

  ArrayRef<region> regions_;
  const scheduling& lists_;
  IRBuilder<> builder_;
  Function* group_;
  kernel_attributes attributes_;
  Value *resume_ = nullptr, *links_ = nullptr, *ready_ = nullptr, *size_ = nullptr;
  /// The last of those at a group barrier, their number, and that of all that have not returned.
  AllocaInst *gathered_ = nullptr, *gathered_count_ = nullptr, *unfinished_ = nullptr;
  /// The work-item that runs: its number, and its linear id.
  Value *current_ = nullptr, *linear_ = nullptr;
  BasicBlock *pick_ = nullptr, *idle_ = nullptr, *done_ = nullptr;
};

} // namespace

void scheduler_emission::find_lists() {
  const auto variable = [&](const char* name) {
    return builder_.CreateAlloca(builder_.getInt32Ty(), nullptr, name);
  };
  gathered_ = variable("gathered");
  gathered_count_ = variable("gathered.count");
  unfinished_ = variable("unfinished");
  Value* count = context_count(builder_, *group_, attributes_);
  resume_ = context_array(builder_, *group_, count, lists_.resume);
  links_ = context_array(builder_, *group_, count, lists_.link);
  ready_ = context_array(builder_, *group_, count, lists_.ready);
  size_ = builder_.getInt64(1);
  for (unsigned axis = 0; axis < attributes_.dimensions; ++axis)
    size_ = builder_.CreateMul(size_, local_range(builder_, *group_, attributes_, axis), "", true, true);
}

void scheduler_emission::start_all() {
  emit_loop(builder_, builder_.getInt64(0), size_, false, nullptr, "start", [&](IRBuilder<>&, Value* index) {
    store(builder_.getInt32(0), element(resume_, index));
    Value* next = builder_.CreateAdd(index, builder_.getInt64(2), "", true, true);
    store(builder_.CreateTrunc(next, builder_.getInt32Ty()), element(links_, index));
  });
  Value* last = builder_.CreateTrunc(size_, builder_.getInt32Ty(), "last");
  store(builder_.getInt32(1), link_of(last));
  store(last, ready_);
  store(last, unfinished_);
  store(builder_.getInt32(0), gathered_);
  store(builder_.getInt32(0), gathered_count_);
  builder_.CreateBr(pick_);
}

/// Behind the last one of the list, which it then is.
void scheduler_emission::append(Value* list) {
  store(current_, link_of(current_));
  builder_.CreateCall(group_->getParent()->getFunction(JOIN_LISTS), {load(list, "last"), current_, links_});
  store(current_, list);
}

void scheduler_emission::pick() {
  builder_.SetInsertPoint(pick_);
  BasicBlock* some = block("some");
  Value* last = load(ready_, "last");
  builder_.CreateCondBr(builder_.CreateIsNull(last), idle_, some);
  builder_.SetInsertPoint(some);
  current_ = load(link_of(last), "current");
  Value* is_only = builder_.CreateICmpEQ(current_, last);
  store(builder_.CreateSelect(is_only, builder_.getInt32(0), last), ready_);
  store(load(link_of(current_)), link_of(last));
  Value* index = builder_.CreateSub(current_, builder_.getInt32(1), "", true, true);
  linear_ = builder_.CreateZExt(index, builder_.getInt64Ty(), "linear");
}

work_item_position scheduler_emission::position() {
  Value* zero = builder_.getInt64(0);
  work_item_position item{{zero, zero, zero}, linear_};
  Value* rest = builder_.CreateTrunc(linear_, builder_.getInt32Ty());
  for (unsigned axis = 0; axis < attributes_.dimensions; ++axis) {
    Value* index = rest;
    if (axis + 1 < attributes_.dimensions) {
      Value* range =
          builder_.CreateTrunc(local_range(builder_, *group_, attributes_, axis), builder_.getInt32Ty());
      index = builder_.CreateURem(rest, range);
      rest = builder_.CreateUDiv(rest, range);
    }
    item.index[axis] = builder_.CreateZExt(index, builder_.getInt64Ty());
  }
  return item;
}

/// What follows when the current work-item has stopped before region \p next.
void scheduler_emission::go_to(unsigned next) {
  assert(next <= regions_.size() && "there is no such region");
  if (next == regions_.size()) {
    count(unfinished_, -1);
    builder_.CreateBr(pick_);
    return;
  }
  store(builder_.getInt32(next), element(resume_, linear_));
  switch (regions_[next].behind) {
  case suspension::wait:
    break;
  case suspension::yield:
    append(ready_);
    break;
  case suspension::group_barrier:
    append(gathered_);
    count(gathered_count_, 1);
    break;
  }
  builder_.CreateBr(pick_);
}

void scheduler_emission::run_region(unsigned number) {
  const region& mine = regions_[number];
  Value* results = builder_.CreateCall(mine.function, work_item_arguments(*group_, position()));
  if (mine.next.empty()) {
    builder_.CreateUnreachable();
    return;
  }
  if (mine.next.size() == 1)
    return go_to(*mine.next.begin());
  Value* next = builder_.CreateExtractValue(results, 0, "next");
  const unsigned last = *mine.next.rbegin();
  BasicBlock* otherwise = block("to." + Twine(last));
  SwitchInst* dispatch = builder_.CreateSwitch(next, otherwise, unsigned(mine.next.size()));
  for (unsigned target : mine.next) {
    BasicBlock* to = target == last ? otherwise : block("to." + Twine(target));
    if (target != last)
      dispatch->addCase(builder_.getInt32(target), to);
    builder_.SetInsertPoint(to);
    go_to(target);
  }
}

void scheduler_emission::report_deadlock() {
  Value* worker = argument(*group_, parameter::worker);
  Value* field = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), worker,
                                                     offsetof(cpu::worker_memory, report_deadlock));
  Value* report = builder_.CreateAlignedLoad(builder_.getPtrTy(), field, Align(8), "report");
  Type* number = builder_.getInt64Ty();
  FunctionType* type = FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy(), number, number}, false);
  Value *unfinished = load(unfinished_), *gathered = load(gathered_count_);
  builder_.CreateCall(type, report,
                      {worker, builder_.CreateZExt(builder_.CreateSub(unfinished, gathered), number),
                       builder_.CreateZExt(gathered, number)});
}

void scheduler_emission::idle() {
  builder_.SetInsertPoint(idle_);
  BasicBlock *some_left = block("some.left"), *meet = block("meet"), *deadlock = block("deadlock");
  Value *unfinished = load(unfinished_), *gathered = load(gathered_count_);
  builder_.CreateCondBr(builder_.CreateIsNull(unfinished), done_, some_left);
  builder_.SetInsertPoint(some_left);
  builder_.CreateCondBr(builder_.CreateICmpEQ(unfinished, gathered), meet, deadlock);
  builder_.SetInsertPoint(meet);
  store(load(gathered_), ready_);
  store(builder_.getInt32(0), gathered_);
  store(builder_.getInt32(0), gathered_count_);
  builder_.CreateBr(pick_);
  builder_.SetInsertPoint(deadlock);
  report_deadlock();
  builder_.CreateBr(done_);
}

Function* scheduler_emission::emit() {
  pick_ = block("pick");
  idle_ = block("idle");
  done_ = block("done");
  find_lists();
  start_all();
  pick();
  SmallVector<BasicBlock*> blocks;
  for (unsigned number = 0; number < regions_.size(); ++number)
    blocks.push_back(block("region." + Twine(number)));
  SwitchInst* dispatch = builder_.CreateSwitch(load(element(resume_, linear_), "resume"), blocks.front(),
                                               unsigned(regions_.size()));
  for (unsigned number = 0; number < regions_.size(); ++number) {
    if (number != 0)
      dispatch->addCase(builder_.getInt32(number), blocks[number]);
    builder_.SetInsertPoint(blocks[number]);
    run_region(number);
  }
  idle();
  builder_.SetInsertPoint(done_);
  builder_.CreateRetVoid();
  removeUnreachableBlocks(*group_);
  DominatorTree dominators(*group_);
  PromoteMemToReg({gathered_, gathered_count_, unfinished_}, dominators);
  return group_;
}

Function* emit_work_item_scheduler(Function& work_item, ArrayRef<region> regions, const scheduling& lists) {
  return scheduler_emission(work_item, regions, lists).emit();
}

} // namespace falx::jit
