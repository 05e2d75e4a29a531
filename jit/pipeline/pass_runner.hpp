// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassTimingInfo.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

namespace falx::jit {

/// Of a pass that has replaced instructions, if anything, and left all branches.
inline llvm::PreservedAnalyses preserved_by_replacements(bool has_changed) {
  if (!has_changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

/// Runs LLVM's passes over one module: the builder of its pipelines with the analyses that they ask for,
/// which are kept from one run to the next. Where a tool has set TimePassesIsEnabled, the times are printed
/// at the end of the runner's life.
class pass_runner {
public:
  /// \p machine tells the passes what the target can do; null for nothing about it.
  explicit pass_runner(llvm::TargetMachine* machine = nullptr, llvm::PipelineTuningOptions tuning = {});
  ~pass_runner() { times_.print(); }
  pass_runner(const pass_runner&) = delete;
  pass_runner& operator=(const pass_runner&) = delete;

  llvm::PassBuilder& builder() { return builder_; }

  void run(llvm::ModulePassManager passes, llvm::Module& module) { passes.run(module, modules_); }
  void run(llvm::FunctionPassManager passes, llvm::Function& function) { passes.run(function, functions_); }

  /// The default pipeline of clang's -O0, -O1, or, for every higher \p level, -O3.
  llvm::ModulePassManager default_pipeline(unsigned level);

  /// The module has changed between two runs.
  void invalidate_analyses();

private:
  llvm::PassInstrumentationCallbacks callbacks_;
  llvm::TimePassesHandler times_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassBuilder builder_;
};

} // namespace falx::jit
