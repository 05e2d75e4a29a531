// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace falx::jit {

/// Makes the declaration of a builtin the head of a function that is always inlined, with an empty block.
llvm::IRBuilder<> begin_builtin_body(llvm::Function& builtin);

} // namespace falx::jit
