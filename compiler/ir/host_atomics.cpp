// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Before:
//   %object = call ptr @__falx_atomic_scope(ptr %p, i32 4)
//   %old = atomicrmw add ptr %object, i32 1 seq_cst
// After:
//   %old = atomicrmw add ptr %p, i32 1 seq_cst
//
// The device image has been taken by then, and keeps its calls.
#include "host_atomics.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace falx::compiler {

bool forward_atomic_objects(llvm::Module& host) {
  llvm::Function* scope = host.getFunction("__falx_atomic_scope");
  if (scope == nullptr)
    return false;
  bool changed = false;
  for (llvm::User* user : llvm::make_early_inc_range(scope->users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call == nullptr || call->getCalledOperand() != scope)
      continue;
    call->replaceAllUsesWith(call->getArgOperand(0));
    call->eraseFromParent();
    changed = true;
  }
  return changed;
}

} // namespace falx::compiler
