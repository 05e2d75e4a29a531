// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   %token = call i64 @__falx_async_barrier_arrive(ptr %state)
//   call void @__falx_async_barrier_wait(ptr %state, i64 %token)
// After, with the bodies in targets/cpu/cpu_builtins.ll:
//   %token = call i64 @falx.async_barrier.count(ptr %state, i64 1, i64 0, ptr %links, ptr %ready)
//   %over = call i1 @falx.async_barrier.is_over(ptr %state, i64 %token)
//   br i1 %over, label %behind, label %waits
// waits:
//   …                                        ; %self goes to the list of the barrier
//   call void @falx.suspend.wait()           ; split_barriers cuts here
//   br label %behind

#include "async_barriers.hpp"
#include "frontend/builtin_calls.hpp"
#include "frontend/library_linking.hpp"

#include <llvm/IR/InstIterator.h>
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
  Type* number = Type::getInt32Ty(work_item.getContext());
  const auto reserve = [&] {
    return reserve_context(attributes, work_item.getDataLayout(), number, Align(4));
  };
  return {reserve(), reserve(), reserve()};
}

Error expand_async_barriers(Function& work_item, const kernel_attributes& attributes,
                            const scheduling& lists) {
  Module& module = *work_item.getParent();
  SmallVector<CallInst*, 16> calls;
  for (CallInst* call : builtin_calls(work_item)) {
    const StringRef name = builtin_name(*call);
    if (!name.starts_with(ASYNC_BARRIER_BUILTIN))
      continue;
    IRBuilder<> builder(call);
    Value* count = context_count(builder, work_item, attributes);
    Value* linear = builder.CreateTrunc(argument(work_item, parameter::linear), builder.getInt32Ty());
    SmallVector<Value*> arguments(call->args());
    append_range(arguments, ArrayRef<Value*>{context_array(builder, work_item, count, lists.link),
                                             context_array(builder, work_item, count, lists.ready),
                                             builder.CreateAdd(linear, builder.getInt32(1), "self")});
    const SmallVector<Type*> types(map_range(arguments, [](Value* each) { return each->getType(); }));
    const FunctionCallee body =
        module.getOrInsertFunction(("falx." + name).str(), FunctionType::get(call->getType(), types, false));
    calls.push_back(builder.CreateCall(body, arguments));
    replace_builtin(*call, calls.back());
  }
  LLVMContext& context = module.getContext();
  Type* number = Type::getInt32Ty(context);
  module.getOrInsertFunction(JOIN_LISTS, Type::getVoidTy(context), number, number,
                             PointerType::getUnqual(context));
  if (Error error = define_from_library(module, library::cpu_builtins))
    return error;
  for (CallInst* call : calls) {
    if (call->getCalledFunction()->isDeclaration())
      return unknown_builtin(*call);
    // Some hold suspensions, which are the work-item function's.
    InlineFunctionInfo info;
    [[maybe_unused]] const InlineResult result = InlineFunction(*call, info);
    assert(result.isSuccess() && "bodies of builtins are plain code");
  }
  assert(!has_async_barriers(work_item) && "a builtin of asynchronous barriers is left");
  return Error::success();
}

} // namespace falx::jit
