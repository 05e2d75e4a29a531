// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After:
//   .visible .entry kernel(…) {
//     griddepcontrol.wait;
//     …
//
// A launch may let a kernel's blocks start while the kernel before it in the stream ends
// (runtime/backends/cuda/cuda_launch.cpp). They wait here until all that it wrote is there.
//
// In machine code, as the code generator moves loads of memory that does not change across everything that IR
// has for this. The assembler moves no access across the instruction.

#include "code_generation.hpp"
#include "frontend/kernel_attributes.hpp"
#include "ptx_abi.hpp"

#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/InlineAsm.h>

#include <memory>

using namespace llvm;

namespace falx::jit {
namespace {

class wait_for_prerequisite_grids : public MachineFunctionPass {
public:
  static char ID;
  wait_for_prerequisite_grids() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "falx: wait for prerequisite grids"; }

  bool runOnMachineFunction(MachineFunction& function) override {
    const Function& kernel = function.getFunction();
    if (kernel.getCallingConv() != CallingConv::PTX_Kernel ||
        !ptx::waits_for_prerequisites(kernel_attributes::read(kernel).sm))
      return false;
    MachineBasicBlock& entry = function.front();
    const TargetInstrInfo& instructions = *function.getSubtarget().getInstrInfo();
    BuildMI(entry, entry.begin(), DebugLoc(), instructions.get(TargetOpcode::INLINEASM))
        .addExternalSymbol("griddepcontrol.wait;")
        .addImm(InlineAsm::Extra_HasSideEffects | InlineAsm::Extra_MayLoad | InlineAsm::Extra_MayStore);
    return true;
  }

  void getAnalysisUsage(AnalysisUsage& usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
};
char wait_for_prerequisite_grids::ID = 0;

} // namespace

Pass* create_prerequisite_waits() {
  return std::make_unique<wait_for_prerequisite_grids>().release();
}

} // namespace falx::jit
