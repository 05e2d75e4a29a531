// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>

#include <span>

namespace falx::jit {

/// Maps what host code expects of the C library and of its compiler's run-time library: assertions become the
/// driver's __assertfail, which reports file and line, other ways to end the program a trap; comparing
/// memory, arithmetic of complex numbers and conversions of 128-bit integers become functions of \p
/// device_library, bitcode of math/device_library.c, which are linked. See the .cpp file for the IR before
/// and after.
class lower_library_calls : public llvm::PassInfoMixin<lower_library_calls> {
public:
  explicit lower_library_calls(std::span<const unsigned char> device_library)
      : device_library_(device_library) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

private:
  std::span<const unsigned char> device_library_;
};

} // namespace falx::jit
