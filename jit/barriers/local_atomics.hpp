// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instructions.h>

namespace falx::jit {

/// Gives atomic operations on local memory the scope singlethread: all who may see that memory are run by one
/// thread. They stay atomic operations while work-items are brought together.
void limit_local_atomics(llvm::Function& work_item);

/// Makes plain loads, arithmetic and stores of atomic operations of that scope.
void lower_local_atomics(llvm::Module& module);

} // namespace falx::jit
