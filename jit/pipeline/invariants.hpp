// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>

/// \file
/// What passes promise about the code that they leave behind.

namespace falx::jit {

/// Fails if the module, which is named for its kernel, is invalid.
llvm::Error verify(const llvm::Module& module);

/// The same as a pass. LLVM's own would end the process.
struct verify_module : llvm::PassInfoMixin<verify_module> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// Questions for assertions, which builds without them do not have.
#ifndef NDEBUG

/// LLVM's verifier accepts \p function; what it has to say goes to the error output.
bool is_valid(const llvm::Function& function);

/// Every value dominates its uses.
bool all_dominate(const llvm::Function& function, const llvm::DominatorTree& dominators);

/// No call of the function \p name is left, which a pass was to replace.
bool never_calls(const llvm::Function& function, llvm::StringRef name);

#endif

} // namespace falx::jit
