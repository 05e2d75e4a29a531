// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After, for a kernel with regions 0 and 1 in sub-groups of 8:
//   define internal void @kernel.group(…) {
//     all lanes of all sub-groups can run, each to resume in region 0
//   pick:
//     if no sub-group is listed, go to idle; else take the first one, and of its lanes that can run those
//     that resume in the same region as the one whose turn it is
//     switch i32 %resume, label %region.0 [ i32 1, label %region.1 ]
//   region.1:
//     call { i32 } @kernel.region.1.lanes(…, <8 x i1> %mask)       ; stores what comes next
//     by what comes next, for the lanes that stopped there:
//       the kernel's end            so many unfinished work-items less
//       behind a wait               nothing: the region has put them into the barrier's list
//       behind a yield              they can run, when the others have
//       behind a group barrier      so many more that have gathered there
//       behind a sub-group's        they can run if all of the sub-group are at such a place
//     br label %pick
//   idle:
//     none unfinished: return
//     all of them gathered: they can run
//     some at a sub-group's place: they can run, as the rest of the sub-group waits for them
//     else none ever will: tell the runtime and return
//
// With sub-groups of one work-item the regions have no mask.

#include "pipeline/budgets.hpp"
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
        group_(create_group_function(work_item, builder_)), attributes_(kernel_attributes::read(*group_)),
        width_(attributes_.lanes), numbers_(FixedVectorType::get(builder_.getInt32Ty(), width_)) {}
  Function* emit();

private:
  void find_lists();
  void start_all();
  Value* choose_leader(Value* can_run);
  Value* choose_lanes(Value* can_run);
  void pick();
  void run_region(unsigned number);
  void stop_before(unsigned next, Value* lanes);
  void stop_alone(const region& mine);
  void gather_sub_group();
  void idle();
  void report_deadlock();

  BasicBlock* block(const Twine& name) { return BasicBlock::Create(builder_.getContext(), name, group_); }
  Value* load(Value* address, const Twine& name = "") {
    return builder_.CreateAlignedLoad(builder_.getInt32Ty(), address, Align(4), name);
  }
  void store(Value* value, Value* address) { builder_.CreateAlignedStore(value, address, Align(4)); }
  /// Of %falx.lanes.
  Value* mask_of(Value* number) { return builder_.CreateGEP(lanes_type_, sub_groups_, number); }
  Value* link_of(Value* number) {
    return builder_.CreateGEP(lanes_type_, sub_groups_, {number, builder_.getInt32(1)});
  }
  /// The lane that is the first to be asked whether it can run.
  Value* turn_of(Value* number) {
    return builder_.CreateGEP(lanes_type_, sub_groups_, {number, builder_.getInt32(2)});
  }
  Value* all(unsigned number) { return ConstantInt::get(numbers_, number); }
  /// A bit per lane, in 64.
  Value* bits(Value* lanes) {
    return builder_.CreateZExt(builder_.CreateBitCast(lanes, builder_.getIntNTy(width_)),
                               builder_.getInt64Ty());
  }
  /// Where the sub-group's lanes go on, whose first work-item is \p linear.
  Value* resume_of(Value* linear) {
    return builder_.CreateInBoundsGEP(builder_.getInt32Ty(), resume_, linear);
  }
  Value* next_regions(Value* linear) {
    return builder_.CreateAlignedLoad(numbers_, resume_of(linear), Align(4), "next");
  }
  void schedule(Value* number, Value* lanes) {
    const std::string function = (SCHEDULE + (width_ == 1 ? ".single" : "")).str();
    builder_.CreateCall(group_->getParent()->getFunction(function), {sub_groups_, ready_, number, lanes});
  }
  void add(AllocaInst* counter, Value* lanes, bool is_less = false) {
    Value* count = builder_.CreateUnaryIntrinsic(Intrinsic::ctpop, lanes);
    count = builder_.CreateTrunc(count, builder_.getInt32Ty());
    Value* before = load(counter);
    store(is_less ? builder_.CreateSub(before, count) : builder_.CreateAdd(before, count), counter);
  }
  void for_each_sub_group(const Twine& name, function_ref<void(Value* number, Value* linear)> body);
  /// Those of the lanes that have stopped before what their sub-group does together.
  Value* at_meeting(Value* next);
  work_item_position position();

  ArrayRef<region> regions_;
  const scheduling& lists_;
  IRBuilder<> builder_;
  Function* group_;
  kernel_attributes attributes_;
  unsigned width_;
  FixedVectorType* numbers_;
  StructType* lanes_type_ = nullptr;
  bool meets_in_sub_groups_ = false;
  Value *resume_ = nullptr, *sub_groups_ = nullptr, *ready_ = nullptr, *size_ = nullptr;
  /// Numbers of work-items: those at a group barrier, and all that have not returned.
  AllocaInst *gathered_ = nullptr, *unfinished_ = nullptr;
  /// The sub-group that runs: its number, its first work-item's linear id, and which lanes of it run.
  Value *current_ = nullptr, *linear_ = nullptr, *lanes_ = nullptr;
  BasicBlock *pick_ = nullptr, *ran_ = nullptr, *idle_ = nullptr, *done_ = nullptr;
};

} // namespace

void scheduler_emission::find_lists() {
  Type* number = builder_.getInt32Ty();
  lanes_type_ = StructType::get(builder_.getContext(), {builder_.getInt64Ty(), number, number});
  gathered_ = builder_.CreateAlloca(number, nullptr, "gathered");
  unfinished_ = builder_.CreateAlloca(number, nullptr, "unfinished");
  Value* count = context_count(builder_, *group_, attributes_);
  resume_ = context_array(builder_, *group_, count, lists_.resume);
  sub_groups_ = numbered_array(builder_, *group_, count, lists_.sub_groups);
  ready_ = context_array(builder_, *group_, count, lists_.ready);
  size_ = builder_.getInt64(1);
  for (unsigned axis = 0; axis < attributes_.dimensions; ++axis)
    size_ = builder_.CreateMul(size_, local_range(builder_, *group_, attributes_, axis), "", true, true);
}

void scheduler_emission::for_each_sub_group(const Twine& name,
                                            function_ref<void(Value* number, Value* linear)> body) {
  Value* width = builder_.getInt64(width_);
  Value* count =
      builder_.CreateUDiv(builder_.CreateAdd(size_, builder_.getInt64(width_ - 1), "", true, true), width);
  emit_loop(builder_, builder_.getInt64(0), count, false, nullptr, name, [&](IRBuilder<>&, Value* index) {
    Value* number = builder_.CreateAdd(index, builder_.getInt64(1), "", true, true);
    body(builder_.CreateTrunc(number, builder_.getInt32Ty()),
         builder_.CreateMul(index, width, "", true, true));
  });
}

/// Lanes of the last sub-group that are no work-items have returned.
void scheduler_emission::start_all() {
  Value* size = builder_.CreateTrunc(size_, builder_.getInt32Ty(), "size");
  store(builder_.getInt32(0), ready_);
  for_each_sub_group("start", [&](Value* number, Value* linear) {
    Value* first = builder_.CreateVectorSplat(width_, builder_.CreateTrunc(linear, builder_.getInt32Ty()));
    Value* is_work_item =
        builder_.CreateICmpULT(builder_.CreateAdd(first, builder_.CreateStepVector(numbers_)),
                               builder_.CreateVectorSplat(width_, size));
    builder_.CreateAlignedStore(builder_.CreateSelect(is_work_item, all(0), all(unsigned(regions_.size()))),
                                resume_of(linear), Align(4));
    if (width_ > 1) {
      builder_.CreateAlignedStore(builder_.getInt64(0), mask_of(number), Align(8));
      store(builder_.getInt32(0), turn_of(number));
    }
    schedule(number, width_ == 1 ? builder_.getInt64(1) : bits(is_work_item));
  });
  store(size, unfinished_);
  store(builder_.getInt32(0), gathered_);
  builder_.CreateBr(pick_);
}

/// Of lanes at different places each has its turn, or one that polls would keep another from arriving.
Value* scheduler_emission::choose_leader(Value* can_run) {
  Value* place = turn_of(current_);
  Value* turn = builder_.CreateZExt(load(place, "turn"), builder_.getInt64Ty());
  Value* from_turn = builder_.CreateAnd(can_run, builder_.CreateShl(builder_.getInt64(~0ULL), turn));
  Value* candidates = builder_.CreateSelect(builder_.CreateIsNull(from_turn), can_run, from_turn);
  Value* leader =
      builder_.CreateBinaryIntrinsic(Intrinsic::cttz, candidates, builder_.getTrue(), {}, "leader");
  Value* next = builder_.CreateAnd(builder_.CreateAdd(leader, builder_.getInt64(1)), 63);
  store(builder_.CreateTrunc(next, builder_.getInt32Ty()), place);
  return leader;
}

/// Those of \p can_run that go on at the same place run, and the others when it is the sub-group's turn
/// again.
/// \returns the place.
Value* scheduler_emission::choose_lanes(Value* can_run) {
  Value* leader = choose_leader(can_run);
  Value* resume =
      load(builder_.CreateInBoundsGEP(builder_.getInt32Ty(), resume_of(linear_), leader), "resume");
  Value* same = builder_.CreateICmpEQ(next_regions(linear_), builder_.CreateVectorSplat(width_, resume));
  lanes_ = builder_.CreateAnd(can_run, bits(same), "lanes");
  Value* others = builder_.CreateXor(can_run, lanes_, "others");
  BasicBlock *more = block("more"), *runs = block("runs");
  builder_.CreateCondBr(builder_.CreateIsNull(others), runs, more);
  builder_.SetInsertPoint(more);
  schedule(current_, others);
  builder_.CreateBr(runs);
  builder_.SetInsertPoint(runs);
  return resume;
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
  linear_ = builder_.CreateMul(builder_.CreateZExt(index, builder_.getInt64Ty()), builder_.getInt64(width_),
                               "linear", true, true);
  Value* resume = nullptr;
  if (width_ == 1) {
    lanes_ = builder_.getInt64(1);
    resume = load(resume_of(linear_), "resume");
  } else {
    Value* can_run =
        builder_.CreateAlignedLoad(builder_.getInt64Ty(), mask_of(current_), Align(8), "can.run");
    builder_.CreateAlignedStore(builder_.getInt64(0), mask_of(current_), Align(8));
    resume = choose_lanes(can_run);
  }
  SmallVector<BasicBlock*> blocks;
  for (unsigned number = 0; number < regions_.size(); ++number)
    blocks.push_back(block("region." + Twine(number)));
  SwitchInst* dispatch = builder_.CreateSwitch(resume, blocks.front(), unsigned(regions_.size()));
  for (unsigned number = 0; number < regions_.size(); ++number) {
    if (number != 0)
      dispatch->addCase(builder_.getInt32(number), blocks[number]);
    builder_.SetInsertPoint(blocks[number]);
    run_region(number);
  }
}

/// Vectors that are not of rows take their indices from the linear id.
work_item_position scheduler_emission::position() {
  Value* zero = builder_.getInt64(0);
  work_item_position item{{zero, zero, zero}, linear_};
  if (width_ > 1 && !has_rows_of(attributes_, width_))
    return item;
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

/// What follows when \p lanes of the current sub-group, of which there may be none, have stopped before
/// region \p next.
void scheduler_emission::stop_before(unsigned next, Value* lanes) {
  assert(next <= regions_.size() && "there is no such region");
  if (next == regions_.size())
    return add(unfinished_, lanes, /*is_less=*/true);
  switch (regions_[next].behind) {
  case suspension::wait:
  case suspension::sub_group:
    break;
  case suspension::yield:
    schedule(current_, lanes);
    break;
  case suspension::group_barrier:
    add(gathered_, lanes);
    break;
  }
}

/// The same for a sub-group of one work-item behind region \p mine.
void scheduler_emission::stop_alone(const region& mine) {
  const unsigned last = *mine.next.rbegin();
  if (mine.next.size() > 1) {
    BasicBlock* otherwise = block("to." + Twine(last));
    SwitchInst* dispatch =
        builder_.CreateSwitch(load(resume_of(linear_), "next"), otherwise, unsigned(mine.next.size() - 1));
    for (const unsigned target : mine.next) {
      if (target == last)
        continue;
      dispatch->addCase(builder_.getInt32(target), block("to." + Twine(target)));
      builder_.SetInsertPoint(dispatch->findCaseValue(builder_.getInt32(target))->getCaseSuccessor());
      stop_before(target, lanes_);
      builder_.CreateBr(ran_);
    }
    builder_.SetInsertPoint(otherwise);
  }
  stop_before(last, lanes_);
  builder_.CreateBr(ran_);
}

void scheduler_emission::run_region(unsigned number) {
  const region& mine = regions_[number];
  SmallVector<Value*> arguments = work_item_arguments(*group_, position());
  if (width_ == 1) {
    builder_.CreateCall(mine.function, arguments);
  } else {
    auto* mask = FixedVectorType::get(builder_.getInt1Ty(), width_);
    const auto call = [&](Value* lanes) {
      arguments.push_back(lanes);
      builder_.CreateCall(mine.function, arguments);
      arguments.pop_back();
    };
    BasicBlock* after = block("ran." + Twine(number));
    if (mine.function->hasFnAttribute(TWO_COPIES)) {
      BasicBlock *whole = block("whole." + Twine(number)), *parts = block("part." + Twine(number));
      Value* every = builder_.getInt64(~0ULL >> (64 - width_));
      builder_.CreateCondBr(builder_.CreateICmpEQ(lanes_, every), whole, parts);
      builder_.SetInsertPoint(whole);
      call(Constant::getAllOnesValue(mask));
      builder_.CreateBr(after);
      builder_.SetInsertPoint(parts);
    }
    call(builder_.CreateBitCast(builder_.CreateTrunc(lanes_, builder_.getIntNTy(width_)), mask));
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
  }
  if (mine.next.empty()) {
    builder_.CreateUnreachable();
    return;
  }
  if (width_ == 1)
    return stop_alone(mine);
  Value* next = mine.next.size() == 1 ? nullptr : next_regions(linear_);
  for (const unsigned target : mine.next) {
    Value* lanes = lanes_;
    if (next != nullptr)
      lanes = builder_.CreateAnd(lanes, bits(builder_.CreateICmpEQ(next, all(target))));
    stop_before(target, lanes);
  }
  builder_.CreateBr(ran_);
}

Value* scheduler_emission::at_meeting(Value* next) {
  Value* result = ConstantInt::getFalse(FixedVectorType::get(builder_.getInt1Ty(), width_));
  for (const auto& [number, region] : enumerate(regions_))
    if (number != 0 && region.behind == suspension::sub_group)
      result = builder_.CreateOr(result, builder_.CreateICmpEQ(next, all(unsigned(number))));
  return result;
}

void scheduler_emission::gather_sub_group() {
  builder_.SetInsertPoint(ran_);
  if (meets_in_sub_groups_) {
    Value* next = next_regions(linear_);
    Value* here = at_meeting(next);
    Value* returned = builder_.CreateICmpEQ(next, all(unsigned(regions_.size())));
    Value* is_complete = builder_.CreateAndReduce(builder_.CreateOr(here, returned));
    schedule(current_, builder_.CreateSelect(is_complete, bits(here), builder_.getInt64(0)));
  }
  builder_.CreateBr(pick_);
}

void scheduler_emission::report_deadlock() {
  Value* worker = argument(*group_, parameter::worker);
  Value* field = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), worker,
                                                     offsetof(cpu::worker_memory, report_deadlock));
  Value* report = builder_.CreateAlignedLoad(builder_.getPtrTy(), field, Align(8), "report");
  Type* number = builder_.getInt64Ty();
  FunctionType* type = FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy(), number, number}, false);
  Value *unfinished = load(unfinished_), *gathered = load(gathered_);
  builder_.CreateCall(type, report,
                      {worker, builder_.CreateZExt(builder_.CreateSub(unfinished, gathered), number),
                       builder_.CreateZExt(gathered, number)});
}

void scheduler_emission::idle() {
  builder_.SetInsertPoint(idle_);
  BasicBlock *some_left = block("some.left"), *meet = block("meet"), *part = block("part"),
             *deadlock = block("deadlock");
  Value *unfinished = load(unfinished_), *gathered = load(gathered_);
  builder_.CreateCondBr(builder_.CreateIsNull(unfinished), done_, some_left);
  builder_.SetInsertPoint(some_left);
  builder_.CreateCondBr(builder_.CreateICmpEQ(unfinished, gathered), meet, part);
  builder_.SetInsertPoint(meet);
  for_each_sub_group("meeting", [&](Value* number, Value* linear) {
    schedule(number, bits(builder_.CreateICmpNE(next_regions(linear), all(unsigned(regions_.size())))));
  });
  store(builder_.getInt32(0), gathered_);
  builder_.CreateBr(pick_);
  builder_.SetInsertPoint(part);
  if (meets_in_sub_groups_) {
    for_each_sub_group("parting", [&](Value* number, Value* linear) {
      schedule(number, bits(at_meeting(next_regions(linear))));
    });
    builder_.CreateCondBr(builder_.CreateIsNull(load(ready_)), deadlock, pick_);
  } else {
    builder_.CreateBr(deadlock);
  }
  builder_.SetInsertPoint(deadlock);
  report_deadlock();
  builder_.CreateBr(done_);
}

Function* scheduler_emission::emit() {
  assert(width_ <= 64 && "a mask has 64 bits");
  meets_in_sub_groups_ =
      any_of(drop_begin(regions_), [](const region& each) { return each.behind == suspension::sub_group; });
  pick_ = block("pick");
  ran_ = block("ran");
  idle_ = block("idle");
  done_ = block("done");
  find_lists();
  start_all();
  pick();
  gather_sub_group();
  idle();
  builder_.SetInsertPoint(done_);
  builder_.CreateRetVoid();
  removeUnreachableBlocks(*group_);
  DominatorTree dominators(*group_);
  PromoteMemToReg({gathered_, unfinished_}, dominators);
  return group_;
}

Function* emit_sub_group_scheduler(Function& work_item, ArrayRef<region> regions, const scheduling& lists) {
  return scheduler_emission(work_item, regions, lists).emit();
}

} // namespace falx::jit
