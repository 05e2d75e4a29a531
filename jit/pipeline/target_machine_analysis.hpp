// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>

namespace falx::jit {

/// The machine that code is made for, for what TargetIRAnalysis does not tell, such as its scheduling model.
/// Null where a tool names none.
class target_machine_analysis : public llvm::AnalysisInfoMixin<target_machine_analysis> {
  friend llvm::AnalysisInfoMixin<target_machine_analysis>;
  static llvm::AnalysisKey Key;

public:
  struct Result {
    const llvm::TargetMachine* machine;
    bool invalidate(llvm::Module&, const llvm::PreservedAnalyses&,
                    llvm::ModuleAnalysisManager::Invalidator&) {
      return false;
    }
  };
  explicit target_machine_analysis(const llvm::TargetMachine* machine) : machine_(machine) {}
  Result run(llvm::Module&, llvm::ModuleAnalysisManager&) { return {machine_}; }

private:
  const llvm::TargetMachine* machine_;
};

/// For what works on functions: the machine, if a pass over the module has had it, as kernel_pass has; else
/// null.
const llvm::TargetMachine* cached_machine(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

/// By its features, or by the name of its CPU, which implies some.
bool has_x86_feature(const llvm::TargetMachine& machine, llvm::StringRef feature);

/// Gives the function the target's attributes, by which LLVM's costs and code generation go; where there is
/// AVX-512, all of its vector width: kernels are loops over work-items, which repay it.
void set_target_attributes(llvm::Function& function, const llvm::TargetMachine& machine);

} // namespace falx::jit
