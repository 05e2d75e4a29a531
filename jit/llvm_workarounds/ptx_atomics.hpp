// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Turns read-modify-write operations into the instructions that PTX has for them, with their order and
/// scope, and into "red" where nobody uses the old value. What PTX has none for becomes a loop of
/// compare-and-swap. Address spaces have to be known: the last pass before code generation, which would drop
/// order and scope. See the .cpp file for the IR before and after.
struct form_native_atomics : llvm::PassInfoMixin<form_native_atomics> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
