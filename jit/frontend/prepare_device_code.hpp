// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Makes device code out of what was compiled as host code: drops exceptions, sanitizer calls, and attributes
/// of the host's target; turns throwing into a trap; tells what the math library does not touch. See the .cpp
/// file for the IR before and after.
struct prepare_device_code : llvm::PassInfoMixin<prepare_device_code> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
