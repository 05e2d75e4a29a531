// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace falx::jit {

/// The result of __falx_native_<name> by approximate instructions of PTX; null if there is no such builtin.
llvm::Value* emit_native_function(llvm::StringRef name, const llvm::CallInst& call,
                                  llvm::IRBuilder<>& builder);

} // namespace falx::jit
