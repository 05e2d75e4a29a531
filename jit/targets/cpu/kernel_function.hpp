// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Emits the function that the runtime calls (falx::cpu::kernel_function) around a work-item function (kinds
/// single_task, range and work_group), its vector form (kind range) or a group function (kind nd_range), and
/// the falx_kernel_properties that point to it. See the .cpp file for the IR before and after.
struct emit_kernel_function : llvm::PassInfoMixin<emit_kernel_function> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
