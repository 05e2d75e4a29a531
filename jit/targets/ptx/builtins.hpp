// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/kernel_attributes.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

/// \file
/// Parts of lower_ptx_builtins, by the file that shows IR before and after.

namespace falx::jit {

/// Gives atomic operations through the result of a call of __falx_atomic_scope its scope (atomic_scopes.cpp).
/// The call itself stays.
void apply_atomic_scope(llvm::CallInst& call);

/// __falx_fence(order, scope).
void emit_fence(const llvm::CallInst& call, llvm::IRBuilder<>& builder);

/// Kernels of kind work_group (group_scope.cpp): every thread of the block runs the group's code, but what
/// that code writes is written once, and what work-items write is shared by them. This is the second step,
/// behind pin_group_variables, on simplified code whose index builtins are lowered: puts variables into
/// shared memory, has one thread write, and expands __falx_work_items_begin, __falx_work_items_end and
/// __falx_work_group_alloc. Fails if a variable's size is not known.
llvm::Error form_group_scope(llvm::Function& entry, llvm::FunctionAnalysisManager& analyses);

} // namespace falx::jit
