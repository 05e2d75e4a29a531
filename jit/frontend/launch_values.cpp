// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, after inlining:
//   define void @kernel(ptr %f) {
//     %offset = load i64, ptr %f
//     call void @__falx_set_launch_value(i32 0, i64 %offset)
//     …
//     %here = call i64 @__falx_launch_value(i32 0)
//     use(%here)
// After:
//   define void @kernel(ptr %f) {
//     %offset = load i64, ptr %f
//     …
//     use(%offset)
//
// A wrapper around the kernel's function object, which is made by the launch, sets values before the function
// runs: so a call that sets one is in front of all that ask for it.

#include "builtin_calls.hpp"
#include "falx/launch_value.hpp"
#include "kernel_attributes.hpp"
#include "launch_passes.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

/// What a launch has to say for the kernel to ask.
static StringRef remedy(std::uint64_t which) {
  switch (which) {
  case WORK_GROUP_SCRATCH:
    return "calls get_work_group_scratch_memory, but its launch has no property work_group_scratch_size";
  case ROOT_BARRIER:
    return "waits at a group_barrier of its root_group, but its launch has no property use_root_sync";
  default:
    return "asks for a launch value that this libfalx-jit does not know";
  }
}

Error lower_launch_values::change(Function& kernel, FunctionAnalysisManager&) {
  DenseMap<std::uint64_t, Value*> values;
  SmallVector<CallInst*, 4> setting, asking;
  for (CallInst* call : builtin_calls(kernel)) {
    const StringRef name = builtin_name(*call);
    if (name == "set_launch_value")
      setting.push_back(call);
    else if (name == "launch_value")
      asking.push_back(call);
  }
  const auto number = [](const CallInst& call) -> std::uint64_t {
    const auto* constant = dyn_cast<ConstantInt>(call.getArgOperand(0));
    return constant != nullptr ? constant->getZExtValue() : ~std::uint64_t{0};
  };
  for (CallInst* call : setting)
    values[number(*call)] = call->getArgOperand(1);
  if (!asking.empty()) {
    const DominatorTree dominators(kernel);
    for (CallInst* call : asking) {
      Value* const value = values.lookup(number(*call));
      if (value == nullptr || !dominators.dominates(value, call))
        return failure("Kernel '" + kernel.getName() + "' " + remedy(number(*call)) + ".");
      replace_builtin(*call, value);
    }
  }
  for (CallInst* call : setting)
    replace_builtin(*call, nullptr);
  return Error::success();
}

} // namespace falx::jit
