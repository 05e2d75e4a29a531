// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Continuation-based barrier splitting. Every barrier starts a region: the blocks that can be reached from
// behind it without passing a barrier. A block may belong to several regions. Each region becomes a function
// that runs one work-item from its start to the next barrier and returns that barrier's number (or that of no
// region: the work-item has returned). The group function runs a region for all work-items, then the region
// that they named.
//
// Before:
//   define internal void @kernel.work_item(…) {
//     %i = …                         ; differs between work-items
//     br label %loop
//   loop:
//     %n = phi i32 [ 0, %entry ], [ %n.next, %loop ]
//     call void @__falx_work_group_barrier()
//     call void @use(i32 %i)
//     %n.next = add i32 %n, 1
//     %again = icmp ult i32 %n.next, %count
//     br i1 %again, label %loop, label %end
// After:
//   define internal { i32, i32 } @kernel.region.0(…)             ; entry, loop: returns { 1, 0 }
//   define internal { i32, i32 } @kernel.region.1(…, i32 %n) {   ; behind the barrier, then loop again
//     %i = load …, %context + offset * count + %linear * size
//     call void @use(i32 %i)
//     %n.next = add i32 %n, 1
//     …                                                          ; returns { 1, %n.next } or { 2, poison }
//   define internal void @kernel.group(…) {
//     for all work-items: { %next, %n } = @kernel.region.0(…)
//     br label %region.1
//   region.1:
//     for all work-items: { %next, %n.new } = @kernel.region.1(…, i32 %n)
//     switch i32 %next, label %done [ i32 1, label %region.1 ]
//
// Why it is right. A group function ends when the kernel does: each step of it runs all work-items from one
// barrier to the next one that they reach. What a region reads is there: if a value is not alive at any
// region start, no path from its definition to a use passes a barrier, so in every region that holds the use,
// each path from the region's start to the use passes the definition, as it did in the kernel. A value that
// is alive at a region start S is demoted to a slot that is written at its definition and, in the region of
// S, at the start; so each use is behind a write of the very value that the kernel's use would have seen. A
// definition that is alive at S dominates S, so every work-item that gets to S has written the slot.
// Promoting the slots in each region gives SSA form again.
//
// Uniform values are kept once per group. All work-items of a region read the value from before the region,
// and what they write takes effect behind the region's loop, as a work-item must not see what its successor
// wrote.
//
// A work-item that returns while others go on to a barrier breaks the rules of SYCL (§3.8.3.4), but programs
// do it and GPUs allow it. If some branch decides between returning and a barrier and is not proved uniform,
// a flag per work-item keeps those that returned out of later regions.
//
// Asynchronous barriers (async_barriers.cpp) let work-items wait at different places. Then each stores which
// region comes next for it, and every value is kept per work-item; sub_group_scheduler runs those of a
// sub-group that are at the same place.

#include "passes.hpp"
#include "pipeline/invariants.hpp"
#include "region_formation.hpp"
#include "vectorizer/analysis/rematerialisation.hpp"
#include "vectorizer/control/work_item_loops.hpp"
#include "vectorizer/emission/user_vectors.hpp"
#include "vectorizer/vectorize_function.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <cassert>
#include <optional>

using namespace llvm;

namespace falx::jit {

namespace {

class barrier_splitter {
public:
  barrier_splitter(Function& work_item, FunctionAnalysisManager& analyses)
      : work_item_(work_item), analyses_(analyses), kernel_{work_item, kernel_attributes::read(work_item)},
        context_(work_item.getContext()), layout_(work_item.getDataLayout()) {}
  barrier_splitter(const barrier_splitter&) = delete;
  barrier_splitter& operator=(const barrier_splitter&) = delete;
  Expected<Function*> run();

private:
  Error cut_at_barriers();
  void analyze();
  context_slot reserve(Type* type, Align alignment);
  Error form_regions();

  Function& work_item_;
  FunctionAnalysisManager& analyses_;
  cut_kernel kernel_;
  LLVMContext& context_;
  const DataLayout& layout_;
  /// Work-items do not go through the regions all together.
  std::optional<scheduling> scheduling_;
  SmallVector<region> regions_;
  /// A flag per work-item, if some may return while others go on.
  std::optional<context_slot> running_;
};

} // namespace

context_slot barrier_splitter::reserve(Type* type, Align alignment) {
  return reserve_context(kernel_.attributes, layout_, type, alignment);
}

/// Makes every barrier the last instruction but one of its block, and the block behind it a region's start.
Error barrier_splitter::cut_at_barriers() {
  SmallVector<CallInst*> calls;
  for (Instruction& instruction : instructions(work_item_)) {
    if (auto* call = dyn_cast<CallInst>(&instruction))
      if (suspension_at(*call))
        calls.push_back(call);
    if (auto* variable = dyn_cast<AllocaInst>(&instruction);
        variable != nullptr && !variable->isStaticAlloca())
      return failure(
          "Kernel '" + work_item_.getFnAttribute("falx-name").getValueAsString() +
          "' takes private memory by alloca() with a size that is not a constant, which kernels of "
          "work-groups cannot do: give it an array of constant size.");
  }
  kernel_.starts.push_back(&work_item_.getEntryBlock());
  for (CallInst* call : calls) {
    BasicBlock* behind = call->getParent()->splitBasicBlock(std::next(call->getIterator()), "behind.barrier");
    kernel_.barriers.push_back(call);
    kernel_.starts.push_back(behind);
  }
  assert(kernel_.starts.size() == kernel_.barriers.size() + 1 && "a region begins behind every barrier");
  return Error::success();
}

void barrier_splitter::analyze() {
  {
    DominatorTree dominators(work_item_);
    LoopInfo loops(dominators);
    for (Loop* loop : loops)
      formLCSSARecursively(*loop, dominators, &loops, nullptr);
  }
  const uniformity uniform(work_item_);
  kernel_.divergent.assign(uniform.divergent_branches().begin(), uniform.divergent_branches().end());

  const ArrayRef<BasicBlock*> behind_barriers = ArrayRef(kernel_.starts).drop_front();
  for (AllocaInst* variable : find_shared_variables(work_item_, behind_barriers)) {
    Type* type = ArrayType::get(variable->getAllocatedType(),
                                cast<ConstantInt>(variable->getArraySize())->getZExtValue());
    kernel_.variables.push_back({variable, reserve(type, variable->getAlign())});
  }
  // No value is the group's where work-items are at different points of the kernel.
  SmallVector<live_value> values =
      find_live_values(work_item_, kernel_.starts, scheduling_ ? nullptr : &uniform);
  // These first: demotion changes the operands that they are made of. They are where no region comes by.
  BasicBlock* expressions = BasicBlock::Create(context_, "expressions", &work_item_);
  IRBuilder<> builder(new UnreachableInst(context_, expressions));
  SmallPtrSet<const Value*, 16> of_group;
  for (const live_value& live : values)
    if (live.how == live_value::keeping::uniform)
      of_group.insert(live.value);
  rematerialiser rematerialised(builder, rematerialiser::flags::kept,
                                [&](Value& value) { return of_group.contains(&value) ? &value : nullptr; });
  for (live_value& live : values) {
    assert(!live.live_at.test(0) && "a value is used where the kernel has not made it");
    kept_value kept;
    if (live.how == live_value::keeping::rematerialised)
      kept.expression = rematerialised.emit(*live.value);
    kept.live = std::move(live);
    kernel_.values.push_back(std::move(kept));
  }
  for (kept_value& kept : kernel_.values) {
    Type* type = kept.live.value->getType();
    if (kept.live.how == live_value::keeping::uniform) {
      kept.position = unsigned(kernel_.uniform_types.size());
      kernel_.uniform_types.push_back(type);
    } else if (kept.live.how == live_value::keeping::varying) {
      type = stored_type(type);
      kept.context = reserve(type, layout_.getABITypeAlign(type));
    }
    replaceDbgUsesWithUndef(kept.live.value);
    kept.slot = DemoteRegToStack(*kept.live.value, false, work_item_.getEntryBlock().begin());
  }
}

/// One function per region, in which work-items run together.
Error barrier_splitter::form_regions() {
  SmallVector<Type*> result_fields = {Type::getInt32Ty(context_)};
  append_range(result_fields, kernel_.uniform_types);
  kernel_.result_type = StructType::get(context_, result_fields);
  for (unsigned number = 0; number < kernel_.end_number(); ++number) {
    regions_.push_back(form_region(kernel_, number));
    if (number != 0)
      regions_.back().behind = *suspension_at(*kernel_.barriers[number - 1]);
  }
  const bool some_may_return = any_of(regions_, [](const region& each) { return each.some_may_return; });
  if (some_may_return && !scheduling_)
    running_ = reserve(Type::getInt8Ty(context_), Align(1));
  kernel_.attributes.write(work_item_);
  for (const region& each : regions_)
    each.function->removeFnAttr("falx-kind");
  if (kernel_.attributes.lanes == 1)
    return Error::success();
  simd::vector_request request = simd::request_for(kernel_.attributes);
  if (running_)
    request.end_number = kernel_.end_number();
  for (region& each : regions_) {
    Expected<Function*> lanes = simd::vectorize(*each.function, request, analyses_);
    if (!lanes)
      return lanes.takeError();
    each.function = *lanes;
  }
  return Error::success();
}

Expected<Function*> barrier_splitter::run() {
  if (has_async_barriers(work_item_)) {
    scheduling_ = reserve_scheduling(kernel_.attributes, work_item_);
    kernel_.resume = scheduling_->resume;
    if (Error error = expand_async_barriers(work_item_, kernel_.attributes, *scheduling_))
      return error;
    gather_sub_groups(work_item_);
  }
  if (Error error = cut_at_barriers())
    return error;
  if (kernel_.barriers.empty() && !scheduling_)
    return form_work_item_loops(work_item_, analyses_);
  // A value that regions hand over is a number, or nobody takes it apart in structures.
  if (kernel_.attributes.lanes != 1)
    simd::take_vectors_apart(work_item_, analyses_);
  analyze();
  if (Error error = form_regions())
    return error;
  Function* group = scheduling_ ? emit_sub_group_scheduler(work_item_, regions_, *scheduling_)
                                : emit_group_function(work_item_, regions_, kernel_.uniform_types,
                                                      running_ ? &*running_ : nullptr);

  assert(work_item_.use_empty() && "somebody else would call a function that is replaced");
  work_item_.eraseFromParent();
  assert(is_valid(*group) && "the group function is not valid");
  return group;
}

Error split_barriers::change(Function& work_item, FunctionAnalysisManager& analyses) {
  if (kernel_attributes::read(work_item).kind != kernel_kind::nd_range)
    return Error::success();
  return barrier_splitter(work_item, analyses).run().takeError();
}

} // namespace falx::jit
