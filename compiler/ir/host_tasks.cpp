// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Before:
//   define linkonce_odr ptr @accessor_offsets<callable>() { ret ptr null }
// After:
//   @falx.accessor_offsets = private constant [3 x i64] [i64 2, i64 0, i64 32]
//   define linkonce_odr ptr @accessor_offsets<callable>() { ret ptr @falx.accessor_offsets }
//
// where the callable has accessors at offsets 0 and 32.
#include "host_tasks.hpp"

#include "kernel_info.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace falx::compiler {

bool fill_in_accessor_offsets(llvm::Module& host) {
  bool changed = false;
  for (const auto& [name, offsets] : host_task_accessors()) {
    llvm::Function* function = host.getFunction(name);
    if (function == nullptr || function->isDeclaration())
      continue;
    llvm::SmallVector<std::uint64_t> table{offsets.size()};
    table.append(offsets.begin(), offsets.end());
    llvm::Constant* value = llvm::ConstantDataArray::get(host.getContext(), table);
    auto* constant = new llvm::GlobalVariable(host, value->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                              value, "falx.accessor_offsets");
    for (llvm::BasicBlock& block : *function)
      if (auto* result = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
        result->setOperand(0, constant);
    changed = true;
  }
  return changed;
}

} // namespace falx::compiler
