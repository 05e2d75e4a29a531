// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   @scratch = internal addrspace(3) global i48 undef, align 8
// After, as LLVM would print the type as .u48, which is none:
//   @scratch = internal addrspace(3) global i64 undef, align 8

#include "passes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

PreservedAnalyses give_variables_ptx_types::run(Module& module, ModuleAnalysisManager&) {
  const DataLayout& layout = module.getDataLayout();
  for (GlobalVariable& variable : make_early_inc_range(module.globals())) {
    auto* integer = dyn_cast<IntegerType>(variable.getValueType());
    if (integer == nullptr || integer->getBitWidth() > 64 || !variable.hasInitializer())
      continue; // LLVM prints wider ones as bytes
    auto* type = IntegerType::get(module.getContext(), unsigned(layout.getTypeAllocSizeInBits(integer)));
    Constant* value = isa<UndefValue>(variable.getInitializer())
                          ? UndefValue::get(type)
                          : ConstantFoldIntegerCast(variable.getInitializer(), type, false, layout);
    if (type == integer || value == nullptr)
      continue;
    auto* replacement =
        new GlobalVariable(module, type, variable.isConstant(), variable.getLinkage(), value, "", &variable,
                           variable.getThreadLocalMode(), variable.getAddressSpace());
    replacement->copyAttributesFrom(&variable);
    replacement->setAlignment(layout.getValueOrABITypeAlignment(variable.getAlign(), integer));
    replacement->takeName(&variable);
    variable.replaceAllUsesWith(replacement);
    variable.eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
