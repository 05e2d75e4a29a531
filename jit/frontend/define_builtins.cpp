// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library_linking.hpp"
#include "passes.hpp"
#include "pipeline/pass_failures.hpp"

using namespace llvm;

namespace falx::jit {

PreservedAnalyses define_builtins::run(Module& module, ModuleAnalysisManager& analyses) {
  return report(define_from_library(module, builtins_), module, analyses);
}

} // namespace falx::jit
