// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>

namespace falx::jit {

/// Gives the kernel the form that targets/ptx_abi.hpp describes: the function object and the launch's
/// arguments are parameters by value, and pointers in the function object point to global memory. See the
/// .cpp file for the IR before and after.
struct form_ptx_entry : llvm::PassInfoMixin<form_ptx_entry> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// The entry's parameters.
llvm::Argument* function_object(llvm::Function& entry);
llvm::Argument* launch_arguments_of(llvm::Function& entry);

/// Tells that the pointers which the entry loads from its function object point to global memory, and how
/// they are aligned. Once more when optimisation has turned copies of the function object into loads.
struct mark_captured_pointers : llvm::PassInfoMixin<mark_captured_pointers> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
