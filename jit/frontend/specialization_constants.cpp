// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   @id = internal constant %class.specialization_id { i32 3 }
//   define internal i32 @read() {
//     %bytes = call ptr @__falx_specialization_constant(ptr @id)
//     %value = load i32, ptr %bytes
// After set_specialization_constants with the bytes of 5, and lower_specialization_constants:
//   @id = internal constant [4 x i8] c"\05\00\00\00"
//   define internal i32 @read() {
//     %value = load i32, ptr @id
//
// Until then the call keeps everybody from folding the load to the default value.

#include "specialization_constants.hpp"
#include "kernel_attributes.hpp"
#include "pipeline/pass_failures.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

Error set_specialization_constants(Module& image, std::size_t index,
                                   ArrayRef<specialization_constant> constants) {
  for (const specialization_constant& constant : constants) {
    if (constant.image != index)
      continue;
    const StringRef symbol = constant.symbol;
    GlobalVariable* variable = image.getGlobalVariable(symbol, /*AllowInternal=*/true);
    const DataLayout& layout = image.getDataLayout();
    if (variable == nullptr || !variable->hasInitializer() ||
        layout.getTypeAllocSize(variable->getValueType()) != constant.bytes.size())
      return failure("A device image has no specialization constant '" + symbol + "' of " +
                     Twine(constant.bytes.size()) + " bytes.");
    if (!variable->getAlign())
      variable->setAlignment(layout.getPreferredAlign(variable));
    variable->replaceInitializer(ConstantDataArray::get(image.getContext(), ArrayRef(constant.bytes)));
  }
  return Error::success();
}

static Error lower(Module& module) {
  Function* builtin = module.getFunction("__falx_specialization_constant");
  if (builtin == nullptr)
    return Error::success();
  for (User* user : make_early_inc_range(builtin->users())) {
    auto* call = dyn_cast<CallInst>(user);
    auto* variable = call == nullptr || call->getCalledFunction() != builtin
                         ? nullptr
                         : dyn_cast<GlobalVariable>(call->getArgOperand(0)->stripPointerCasts());
    if (variable == nullptr)
      return failure(
          "A specialization constant is read through a pointer that is not its specialization_id.");
    // Device code never writes to it.
    variable->setConstant(true);
    call->replaceAllUsesWith(variable);
    call->eraseFromParent();
  }
  builtin->eraseFromParent();
  return Error::success();
}

PreservedAnalyses lower_specialization_constants::run(Module& module, ModuleAnalysisManager& analyses) {
  return report(lower(module), module, analyses);
}

} // namespace falx::jit
