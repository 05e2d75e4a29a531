// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>

#include <span>

namespace falx::jit {

/// Turns calls of <math.h> functions, and intrinsics that PTX has no exact instruction for, into instructions
/// that it has and calls of \p library, libdevice or libclc as bitcode, and links what is called. Precise: no
/// flushing of denormals, correctly rounded square roots and divisions. See the .cpp file for the IR before
/// and after. Fails if the library is damaged.
class lower_math_functions : public llvm::PassInfoMixin<lower_math_functions> {
public:
  explicit lower_math_functions(std::span<const unsigned char> library) : library_(library) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

private:
  std::span<const unsigned char> library_;
};

} // namespace falx::jit
