// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, after inlining:
//   @sums = weak_odr externally_initialized global [16 x i32] zeroinitializer, align 4 #0
//   define void @kernel(ptr %f) "falx-kind"="2" {
//     store i32 7, ptr getelementptr (i8, ptr @sums, i64 8)
//   attributes #0 = { "falx-work-group-variable" }
// After:
//   define void @kernel(ptr %f) "falx-kind"="2" {
//     %memory = call ptr @__falx_group_local_memory(i64 64, i64 4)
//     %element = getelementptr i8, ptr %memory, i64 8
//     store i32 7, ptr %element
//
// One call where the kernel begins, so that all functions of the kernel mean the same memory.

#include "device_globals.hpp"

#include "builtin_calls.hpp"
#include "kernel_attributes.hpp"
#include "launch_passes.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

bool is_work_group_variable(const GlobalVariable& variable) {
  return variable.hasAttribute("falx-work-group-variable");
}

static Expected<Value*> allocate(Function& kernel, const GlobalVariable& variable) {
  if (!kernel_attributes::read(kernel).has_groups())
    return failure("Kernel '" + kernel.getName() +
                   "' uses a variable of class work_group_static, but has no work-groups. Launch it with "
                   "parallel_for over an nd_range.");
  IRBuilder<> builder(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  const DataLayout& layout = kernel.getDataLayout();
  const Align alignment = variable.getAlign().value_or(layout.getPreferredAlign(&variable));
  CallInst* memory = call_function(builder, "__falx_group_local_memory", builder.getPtrTy(),
                                   {builder.getInt64(layout.getTypeAllocSize(variable.getValueType())),
                                    builder.getInt64(alignment.value())});
  memory->getCalledFunction()->setConvergent();
  memory->getCalledFunction()->setDoesNotThrow();
  memory->setConvergent();
  return memory;
}

Error lower_work_group_variables::change(Function& kernel, FunctionAnalysisManager&) {
  for (GlobalVariable& variable : make_early_inc_range(kernel.getParent()->globals())) {
    if (!is_work_group_variable(variable))
      continue;
    Expected<bool> replaced = replace_by_address(kernel, variable, "a variable of class work_group_static",
                                                 [&] { return allocate(kernel, variable); });
    if (!replaced)
      return replaced.takeError();
    variable.eraseFromParent();
  }
  return Error::success();
}

} // namespace falx::jit
