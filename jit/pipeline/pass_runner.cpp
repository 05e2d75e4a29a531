// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass_runner.hpp"
#include "pass_budgets.hpp"

using namespace llvm;

namespace falx::jit {

pass_runner::pass_runner(TargetMachine* machine, PipelineTuningOptions tuning)
    : builder_(machine, tuning, {}, &callbacks_) {
  times_.registerCallbacks(callbacks_);
  limit_passes(callbacks_);
  builder_.registerModuleAnalyses(modules_);
  builder_.registerCGSCCAnalyses(components_);
  builder_.registerFunctionAnalyses(functions_);
  builder_.registerLoopAnalyses(loops_);
  builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
}

ModulePassManager pass_runner::default_pipeline(unsigned level) {
  if (level == 0)
    return builder_.buildO0DefaultPipeline(OptimizationLevel::O0);
  return builder_.buildPerModuleDefaultPipeline(level == 1 ? OptimizationLevel::O1 : OptimizationLevel::O3);
}

void pass_runner::invalidate_analyses() {
  modules_.clear();
  functions_.clear();
}

} // namespace falx::jit
