// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target_machine.hpp"
#include "frontend/kernel_attributes.hpp"

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/TargetOptions.h>

using namespace llvm;

namespace falx::jit {

Expected<std::unique_ptr<TargetMachine>> create_machine(const Triple& triple, StringRef cpu,
                                                        StringRef features, unsigned level) {
  std::string error;
  const Target* target = TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr)
    return failure("No machine code can be made for " + triple.str() + ": " + error);
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard;
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, cpu, features, options, Reloc::PIC_, CodeModel::Small,
                                  level == 0   ? CodeGenOptLevel::None
                                  : level == 1 ? CodeGenOptLevel::Less
                                               : CodeGenOptLevel::Aggressive));
}

bool has_x86_feature(const TargetMachine& machine, StringRef feature) {
  return machine.getTargetTriple().isX86() &&
         machine.getMCSubtargetInfo()->checkFeatures(("+" + feature).str());
}

} // namespace falx::jit
