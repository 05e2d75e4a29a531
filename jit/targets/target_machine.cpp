// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target_machine.hpp"
#include "frontend/kernel_attributes.hpp"

#include <llvm/IR/LegacyPassManager.h>
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

Expected<SmallVector<char, 0>> emit_code(Module& module, TargetMachine& machine, CodeGenFileType type) {
  SmallVector<char, 0> code;
  raw_svector_ostream stream(code);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return failure("No machine code can be made for " + machine.getTargetTriple().str() + ".");
  passes.run(module);
  return code;
}

bool has_x86_feature(const TargetMachine& machine, StringRef feature) {
  return machine.getTargetTriple().isX86() &&
         machine.getMCSubtargetInfo()->checkFeatures(("+" + feature).str());
}

} // namespace falx::jit
