// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Moves the steps of loops' counters behind what looks at the old value, so that old and new value share a
/// register. To be run right before code generation, which keeps the order.
struct sink_counter_steps : llvm::PassInfoMixin<sink_counter_steps> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
