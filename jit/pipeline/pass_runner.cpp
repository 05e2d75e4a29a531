// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass_runner.hpp"

using namespace llvm;

namespace falx::jit {

pass_runner::pass_runner(TargetMachine* machine, PipelineTuningOptions tuning,
                         PassInstrumentationCallbacks& callbacks, pass_failures& failures)
    : builder_(machine, tuning, {}, &callbacks) {
  register_passes(builder_, machine, failures);
  builder_.registerModuleAnalyses(modules_);
  builder_.registerCGSCCAnalyses(components_);
  builder_.registerFunctionAnalyses(functions_);
  builder_.registerLoopAnalyses(loops_);
  builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
}

ModulePassManager default_pipeline(PassBuilder& builder, unsigned level) {
  if (level == 0)
    return builder.buildO0DefaultPipeline(OptimizationLevel::O0);
  return builder.buildPerModuleDefaultPipeline(level == 1 ? OptimizationLevel::O1 : OptimizationLevel::O3);
}

} // namespace falx::jit
