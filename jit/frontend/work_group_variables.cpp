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

#include "falx/kernel.hpp"
#include "kernel_attributes.hpp"
#include "launch_passes.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

using namespace llvm;

namespace falx::jit {

bool is_work_group_variable(const GlobalVariable& variable) {
  return variable.hasAttribute("falx-work-group-variable");
}

static CallInst* allocate(Function& kernel, const GlobalVariable& variable) {
  IRBuilder<> builder(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Type* size = builder.getInt64Ty();
  FunctionCallee builtin =
      kernel.getParent()->getOrInsertFunction("__falx_group_local_memory", builder.getPtrTy(), size, size);
  auto* function = cast<Function>(builtin.getCallee());
  function->setConvergent();
  function->setDoesNotThrow();
  const DataLayout& layout = kernel.getDataLayout();
  const Align alignment = variable.getAlign().value_or(layout.getPreferredAlign(&variable));
  CallInst* memory =
      builder.CreateCall(builtin, {builder.getInt64(layout.getTypeAllocSize(variable.getValueType())),
                                   builder.getInt64(alignment.value())});
  memory->setConvergent();
  return memory;
}

/// Gives the first use, which must be an instruction of the kernel's.
static Error replace(Function& kernel, GlobalVariable& variable) {
  convertUsersOfConstantsToInstructions(ArrayRef<Constant*>(&variable));
  variable.removeDeadConstantUsers();
  if (variable.use_empty())
    return Error::success();
  const kernel_kind kind = static_cast<kernel_kind>(kernel_attributes::read(kernel).kind);
  if (kind != kernel_kind::nd_range && kind != kernel_kind::work_group)
    return failure("Kernel '" + kernel.getName() +
                   "' uses a variable of class work_group_static, but has no work-groups. Launch it with "
                   "parallel_for over an nd_range.");
  CallInst* memory = allocate(kernel, variable);
  for (Use& use : make_early_inc_range(variable.uses())) {
    const auto* user = dyn_cast<Instruction>(use.getUser());
    if (user == nullptr)
      return failure("Kernel '" + kernel.getName() +
                     "' reads the address of a work_group_static from a constant; name the variable in the "
                     "kernel, and choose among several with a condition.");
    if (user->getFunction() != &kernel)
      return failure("Function '" + user->getFunction()->getName() + "', called by kernel '" +
                     kernel.getName() +
                     "', uses a variable of class work_group_static but cannot be inlined: it is recursive, "
                     "variadic, or called through a pointer. Pass it a pointer to the memory.");
    use.set(memory);
  }
  return Error::success();
}

Error lower_work_group_variables::change(Function& kernel, FunctionAnalysisManager&) {
  for (GlobalVariable& variable : make_early_inc_range(kernel.getParent()->globals())) {
    if (!is_work_group_variable(variable))
      continue;
    if (Error error = replace(kernel, variable))
      return error;
    variable.eraseFromParent();
  }
  return Error::success();
}

} // namespace falx::jit
