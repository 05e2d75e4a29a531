// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace falx::jit {

/// Gives atomic operations through the result of a call of __falx_atomic_scope its scope. The call itself
/// stays.
void apply_atomic_scope(llvm::CallInst& call);

/// __falx_fence(order, scope).
void emit_fence(const llvm::CallInst& call, llvm::IRBuilder<>& builder);

} // namespace falx::jit
