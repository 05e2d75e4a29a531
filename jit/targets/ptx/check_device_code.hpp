// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>

namespace falx::jit {

/// Fails with a sentence that names the kernel and what in it has no form in PTX, so that LLVM, which would
/// end the program, never sees it: long double, assembly of the host, thread-local variables, wide atomics.
/// To be asked before libraries for the device are linked, which may hold its assembly.
struct check_device_code : llvm::PassInfoMixin<check_device_code> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Fails, as not_supported, if variables of a function are larger than what a work-item can have on any GPU
/// of NVIDIA's. To be asked when the code is optimised.
struct check_private_memory : llvm::PassInfoMixin<check_private_memory> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Fails if functions or variables are used that nobody defines. To be asked last.
struct check_definitions : llvm::PassInfoMixin<check_definitions> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
