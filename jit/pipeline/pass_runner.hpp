// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pass_failures.hpp"

#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

namespace falx::jit {

/// Makes the passes of passes.def known to \p builder: by name in textual pipelines and to LLVM's
/// instrumentation, with the analyses that they need. They report to \p failures. Of function passes the
/// name stands for a module pass, too, which runs them on every function. With a \p machine its
/// pipelines have names, too: that of a CPU is all in "falx-cpu"; for a GPU "falx-ptx-lowering", which is for
/// the host's target, comes before "falx-ptx-optimization", and LLVM's pipelines have our passes in their
/// midst.
void register_passes(llvm::PassBuilder& builder, llvm::TargetMachine* machine, pass_failures& failures);

/// What passes over one module need: the builder of pipelines, which knows ours and LLVM's, and the analyses,
/// which are kept from pass to pass.
class pass_runner {
public:
  /// \p machine tells the passes what the target can do; null for nothing about it. \p callbacks see all
  /// passes.
  pass_runner(llvm::TargetMachine* machine, llvm::PipelineTuningOptions tuning,
              llvm::PassInstrumentationCallbacks& callbacks, pass_failures& failures);
  pass_runner(const pass_runner&) = delete;
  pass_runner& operator=(const pass_runner&) = delete;

  llvm::PassBuilder& builder() { return builder_; }
  llvm::ModuleAnalysisManager& analyses() { return modules_; }

  void run(llvm::ModulePassManager passes, llvm::Module& module) { passes.run(module, modules_); }

private:
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassBuilder builder_;
};

/// The default pipeline of clang's -O0, -O1, or, for every higher \p level, -O3.
llvm::ModulePassManager default_pipeline(llvm::PassBuilder& builder, unsigned level);

} // namespace falx::jit
