// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "code_generation.hpp"

#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/Pass.h>
#include <llvm/Target/RegisterTargetPassConfigCallback.h>
#include <llvm/Transforms/Scalar.h>

#include <cassert>
#include <memory>

using namespace llvm;

namespace falx::jit {

/// LLVM calls whoever has registered for every machine in the process, and others may use it, too.
static thread_local const TargetMachine* extended = nullptr;

static void add_passes(TargetMachine& machine, legacy::PassManagerBase&, TargetPassConfig* config) {
  if (&machine != extended)
    return;
  const std::unique_ptr<Pass> reduction(createLoopStrengthReducePass());
  config->insertPass(reduction->getPassID(), create_exit_test_widening());
  config->insertPass(reduction->getPassID(), create_test_recomputation());
  config->insertPass(reduction->getPassID(), create_stride_chaining());
  // What is used behind several branches would move from one to the next, with its operands in registers all
  // the way. The assembler sinks what it wants to.
  config->disablePass(&MachineSinkingLegacyID);
  config->insertPass(&FinalizeISelID, create_prerequisite_waits());
}

extended_code_generation::extended_code_generation(const TargetMachine& machine) {
  // Never destroyed: static destructors may still launch kernels.
  static const auto& registered = *std::make_unique<RegisterTargetPassConfigCallback>(add_passes).release();
  static_cast<void>(registered);
  assert(extended == nullptr && "one at a time");
  extended = &machine;
}

extended_code_generation::~extended_code_generation() {
  extended = nullptr;
}

} // namespace falx::jit
