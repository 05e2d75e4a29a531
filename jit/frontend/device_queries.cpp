// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, for a device of NVIDIA's sm_90 that has aspects 0 and 6:
//   %kind = call i32 @__falx_device_architecture()
//   %has = call i1 @__falx_device_has(i32 %aspect)
// After:
//   %kind = 196698
//   %has = trunc i64 (lshr i64 65, zext %aspect) to i1
//
// The kernel's attributes say which device it is. Where its aspects are not known (ahead of time), a kernel
// that asks for them is not compiled.

#include "builtin_calls.hpp"
#include "kernel_attributes.hpp"
#include "passes.hpp"
#include "pipeline/kernel_lookup.hpp"
#include "pipeline/pass_failures.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

static Error answer(Module& module) {
  const Function* const has = module.getFunction("__falx_device_has");
  if (has == nullptr && module.getFunction("__falx_device_architecture") == nullptr)
    return Error::success();
  const Function* const kernel = find_kernel(module);
  if (kernel == nullptr)
    return failure("No function has the attribute falx-kind.");
  const kernel_attributes device = kernel_attributes::read(*kernel);
  replace_calls(module, "__falx_device_architecture",
                [&](const CallInst&, IRBuilder<>& builder) { return builder.getInt32(device.architecture); });
  if (has == nullptr || has->use_empty())
    return Error::success();
  if (device.aspects == 0)
    return failure(
        "Kernel '" + kernel_name(*kernel) +
        "' asks which aspects the device has (if_device_has), which is known when it is launched.");
  replace_calls(module, "__falx_device_has", [&](const CallInst& call, IRBuilder<>& builder) {
    Value* const aspect = builder.CreateZExt(call.getArgOperand(0), builder.getInt64Ty());
    return builder.CreateTrunc(builder.CreateLShr(builder.getInt64(device.aspects), aspect),
                               builder.getInt1Ty());
  });
  return Error::success();
}

PreservedAnalyses answer_device_queries::run(Module& module, ModuleAnalysisManager& analyses) {
  return report(answer(module), module, analyses);
}

} // namespace falx::jit
