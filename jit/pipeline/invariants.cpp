// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invariants.hpp"

#ifndef NDEBUG
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

namespace falx::jit {

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

} // namespace falx::jit
#endif
