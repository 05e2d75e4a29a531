// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/Error.h>

namespace falx::jit {

/// "fence" for a call of __falx_fence (falx/device_builtins.def); empty if \p value is no call of a builtin.
llvm::StringRef builtin_name(const llvm::Value& value);

/// A call of __falx_work_group_barrier.
bool is_group_barrier(const llvm::Instruction& instruction);
bool have_group_barrier(llvm::ArrayRef<llvm::BasicBlock*> blocks);

/// The calls of builtins in \p function.
llvm::SmallVector<llvm::CallInst*, 16> builtin_calls(llvm::Function& function);

/// A call of the module's function \p name, which is declared if it is not there.
llvm::CallInst* call_function(llvm::IRBuilderBase& builder, const llvm::Twine& name, llvm::Type* result,
                              llvm::ArrayRef<llvm::Value*> arguments = {});

/// Puts \p result in the place of \p call, an integer as one of the call's width; null if it has no result.
void replace_builtin(llvm::CallInst& call, llvm::Value* result);

/// Replaces the calls of the function \p name, unless it is defined, by what \p replacement makes of them.
void replace_calls(llvm::Module& module, llvm::StringRef name,
                   llvm::function_ref<llvm::Value*(llvm::CallInst&, llvm::IRBuilder<>&)> replacement);

/// For a builtin that no pass knows.
llvm::Error unknown_builtin(const llvm::CallInst& call);

/// The name of the kernel, for sentences, that \p function was made of (attribute "falx-name").
llvm::StringRef kernel_name(const llvm::Function& function);

} // namespace falx::jit
