// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   %token = call i64 @__falx_async_barrier_arrive(ptr %state)
//   call void @__falx_async_barrier_wait(ptr %state, i64 %token)
//   %sum = call i32 @__falx_sub_group_reduce_add_u32(i32 %x)
// After, with the bodies in targets/cpu/cpu_builtins.ll:
//   %token = call i64 @falx.async_barrier.count(ptr %state, i64 1, i64 0, …)
//   %over = call i1 @falx.async_barrier.enter(ptr %state, i64 %token, ptr %nodes, i32 %self, i64 %lane.bit)
//   br i1 %over, label %behind, label %waits
// waits:
//   call void @falx.suspend.wait()           ; split_barriers cuts here
//   br label %behind
// behind:
//   call void @falx.suspend.sub_group()      ; some lanes may have waited, others not
//   %sum = call i32 @__falx_sub_group_reduce_add_u32(i32 %x)

#include "async_barriers.hpp"
#include "frontend/builtin_calls.hpp"
#include "frontend/library_linking.hpp"
#include "region_formation.hpp"
#include "vectorizer/emission/sub_group_builtins.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cassert>

using namespace llvm;

namespace falx::jit {

bool has_async_barriers(const Function& work_item) {
  return any_of(instructions(work_item), [](const Instruction& each) {
    return builtin_name(each).starts_with(ASYNC_BARRIER_BUILTIN);
  });
}

scheduling reserve_scheduling(kernel_attributes& attributes, Function& work_item) {
  LLVMContext& context = work_item.getContext();
  Type *number = Type::getInt32Ty(context), *mask = Type::getInt64Ty(context);
  Type* lanes = StructType::get(context, {mask, number, number});
  const auto reserve = [&](Type* type, Align alignment) {
    return reserve_context(attributes, work_item.getDataLayout(), type, alignment);
  };
  const context_slot resume = reserve(number, Align(4)), sub_groups = reserve(lanes, Align(8));
  // A sub-group of one work-item is the node that waits.
  const context_slot nodes = attributes.lanes == 1 ? sub_groups : reserve(lanes, Align(8));
  return {resume, nodes, sub_groups, reserve(number, Align(4))};
}

Value* numbered_array(IRBuilder<>& builder, Function& function, Value* count, const context_slot& slot) {
  return builder.CreateGEP(builder.getInt8Ty(), context_array(builder, function, count, slot),
                           builder.getInt64(-std::uint64_t(slot.size)));
}

Error expand_async_barriers(Function& work_item, const kernel_attributes& attributes,
                            const scheduling& lists) {
  Module& module = *work_item.getParent();
  SmallVector<CallBase*, 16> calls;
  for (CallInst* call : builtin_calls(work_item)) {
    const StringRef name = builtin_name(*call);
    if (!name.starts_with(ASYNC_BARRIER_BUILTIN))
      continue;
    IRBuilder<> builder(call);
    Value* count = context_count(builder, work_item, attributes);
    Value* linear = builder.CreateTrunc(argument(work_item, parameter::linear), builder.getInt32Ty());
    SmallVector<Value*> arguments(call->args());
    append_range(arguments, ArrayRef<Value*>{numbered_array(builder, work_item, count, lists.nodes),
                                             numbered_array(builder, work_item, count, lists.sub_groups),
                                             context_array(builder, work_item, count, lists.ready),
                                             builder.CreateAdd(linear, builder.getInt32(1), "self"),
                                             builder.getInt32(Log2_32(attributes.lanes))});
    calls.push_back(call_function(builder, "falx." + name, call->getType(), arguments));
    replace_builtin(*call, calls.back());
  }
  LLVMContext& context = module.getContext();
  Type *number = Type::getInt32Ty(context), *pointer = PointerType::getUnqual(context);
  for (const char* of_one : {"", ".single"})
    module.getOrInsertFunction((SCHEDULE + of_one).str(), Type::getVoidTy(context), pointer, pointer, number,
                               Type::getInt64Ty(context));
  if (Error error = define_from_library(module, library::cpu_builtins))
    return error;
  for (const CallBase* call : calls)
    if (call->getCalledFunction()->isDeclaration())
      return unknown_builtin(*cast<CallInst>(call));
  // The bodies hold suspensions and variables that the vectoriser knows, which are the work-item function's.
  inline_bodies(std::move(calls));
  assert(!has_async_barriers(work_item) && "a builtin of asynchronous barriers is left");
  return Error::success();
}

/// Does the whole sub-group, or some members of it, do this together?
static bool is_of_sub_group(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const StringRef name = call != nullptr ? simd::sub_group_builtin(*call) : "";
  return !name.empty() && name != "local_id" && name != "id" && name != "active";
}

/// Whether lanes of a sub-group may be at different places, behind \p instruction.
static bool parted_behind(const Instruction& instruction, bool parted) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  if (const auto stops = call != nullptr ? suspension_at(*call) : std::nullopt)
    return *stops == suspension::wait || *stops == suspension::yield;
  return parted && !is_of_sub_group(instruction);
}

void gather_sub_groups(Function& work_item) {
  if (none_of(instructions(work_item), is_of_sub_group))
    return;
  DenseMap<const BasicBlock*, bool> at_end;
  const auto at_begin = [&](const BasicBlock& block) {
    return any_of(predecessors(&block), [&](const BasicBlock* from) { return at_end.lookup(from); });
  };
  const ReversePostOrderTraversal<Function*> order(&work_item);
  for (bool progress = true; progress;) {
    progress = false;
    for (const BasicBlock* block : order) {
      bool parted = at_begin(*block);
      for (const Instruction& instruction : *block)
        parted = parted_behind(instruction, parted);
      progress |= parted != at_end.lookup(block);
      at_end[block] = parted;
    }
  }
  const FunctionCallee suspend = work_item.getParent()->getOrInsertFunction(
      SUSPEND_FOR_SUB_GROUP, Type::getVoidTy(work_item.getContext()));
  for (BasicBlock* block : order) {
    bool parted = at_begin(*block);
    for (Instruction& instruction : *block) {
      if (parted && is_of_sub_group(instruction))
        CallInst::Create(suspend, "", instruction.getIterator());
      parted = parted_behind(instruction, parted);
    }
  }
}

} // namespace falx::jit
