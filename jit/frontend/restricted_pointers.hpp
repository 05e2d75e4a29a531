// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Value.h>

namespace falx::jit {

/// Does the kernel have [[intel::kernel_args_restrict]], the attribute "falx-restrict"?
bool has_restricted_pointers(const llvm::Function& kernel);

/// Tells LLVM what the attribute promises: memory that is reached through one of the pointers that
/// \p function_object holds, and written, is reached through no other. What is reached through a pointer that
/// nothing is written through does not change while the kernel runs, so GPUs read it as constants. For
/// kernels into which everything is inlined that sees the captured pointers; those that escape keep their
/// aliases.
void declare_restricted_pointers(llvm::Function& kernel, llvm::Value& function_object);

} // namespace falx::jit
