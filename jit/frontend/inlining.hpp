// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// For targets where a call costs little: functions that the program calls cold ([[gnu::cold]]) stay calls,
/// marked with noinline, unless choose_what_to_inline finds that they use builtins. In vectors they run lane
/// by lane.
struct keep_cold_functions : llvm::PassInfoMixin<keep_cold_functions> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Marks with alwaysinline what becomes part of the kernel before the passes of the JIT: everything, unless
/// the kernel would grow large; then what uses builtins, what is small and what is called once. The rest is
/// LLVM's to inline or not. The kernel becomes visible from outside, so that it survives the removal of what
/// is unused.
struct choose_what_to_inline : llvm::PassInfoMixin<choose_what_to_inline> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
