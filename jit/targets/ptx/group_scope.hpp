// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>

namespace falx::jit {

/// Kernels of kind work_group on a GPU: every thread of the block runs the group's code, but what that code
/// writes is written once, and what work-items write is shared by them. See the .cpp file for the IR before
/// and after.

/// First step, with variables still in memory: keeps those that work-items write from becoming values.
struct pin_group_variables : llvm::PassInfoMixin<pin_group_variables> {
  llvm::PreservedAnalyses run(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};
/// Second step, on simplified code whose index builtins are lowered: puts variables into shared memory, has
/// one thread write, and expands __falx_work_items_begin, __falx_work_items_end and __falx_work_group_alloc.
/// Fails if a variable's size is not known.
llvm::Error form_group_scope(llvm::Function& entry, llvm::FunctionAnalysisManager& analyses);

} // namespace falx::jit
