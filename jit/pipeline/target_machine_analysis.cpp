// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target_machine_analysis.hpp"

#include <llvm/IR/Function.h>
#include <llvm/MC/MCSubtargetInfo.h>

using namespace llvm;

namespace falx::jit {

AnalysisKey target_machine_analysis::Key;

const TargetMachine* cached_machine(Function& function, FunctionAnalysisManager& analyses) {
  const auto* result = analyses.getResult<ModuleAnalysisManagerFunctionProxy>(function)
                           .getCachedResult<target_machine_analysis>(*function.getParent());
  return result != nullptr ? result->machine : nullptr;
}

bool has_x86_feature(const TargetMachine& machine, StringRef feature) {
  return machine.getTargetTriple().isX86() &&
         machine.getMCSubtargetInfo()->checkFeatures(("+" + feature).str());
}

void set_target_attributes(Function& function, const TargetMachine& machine) {
  function.addFnAttr("target-cpu", machine.getTargetCPU());
  function.addFnAttr("target-features", machine.getTargetFeatureString());
  if (has_x86_feature(machine, "avx512vl"))
    function.addFnAttr("prefer-vector-width", "512");
}

} // namespace falx::jit
