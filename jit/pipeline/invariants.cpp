// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invariants.hpp"
#include "pass_failures.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

namespace falx::jit {

Error verify(const Module& module) {
  std::string message;
  raw_string_ostream stream(message);
  if (verifyModule(module, &stream))
    return createStringError("Kernel '" + module.getModuleIdentifier() +
                             "': a pass of Falx made invalid code: " + message);
  return Error::success();
}

PreservedAnalyses verify_module::run(Module& module, ModuleAnalysisManager& analyses) {
  report(verify(module), module, analyses);
  return PreservedAnalyses::all();
}

#ifndef NDEBUG
bool is_valid(const Function& function) {
  return !verifyFunction(function, &errs());
}

bool all_dominate(const Function& function, const DominatorTree& dominators) {
  return all_of(instructions(function), [&](const Instruction& instruction) {
    return all_of(instruction.uses(),
                  [&](const Use& use) { return dominators.dominates(&instruction, use); });
  });
}

bool never_calls(const Function& function, StringRef name) {
  return none_of(instructions(function), [&](const Instruction& instruction) {
    const auto* call = dyn_cast<CallInst>(&instruction);
    return call != nullptr && call->getCalledFunction() != nullptr &&
           call->getCalledFunction()->getName() == name;
  });
}

#endif

} // namespace falx::jit
