// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "verification.hpp"
#include "frontend/kernel_attributes.hpp"
#include "pass_failures.hpp"

#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

namespace falx::jit {

Error verify(const Module& module) {
  std::string message;
  raw_string_ostream stream(message);
  if (verifyModule(module, &stream))
    return failure("Kernel '" + module.getModuleIdentifier() +
                   "': a pass of Falx made invalid code: " + message);
  return Error::success();
}

PreservedAnalyses verify_module::run(Module& module, ModuleAnalysisManager& analyses) {
  report(verify(module), module, analyses);
  return PreservedAnalyses::all();
}

} // namespace falx::jit
