// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "private_variables.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace falx::jit {

std::uint64_t private_bytes(const Function& function) {
  std::uint64_t bytes = 0;
  for (const Instruction& instruction : instructions(function)) {
    const auto* variable = dyn_cast<AllocaInst>(&instruction);
    const auto* count = variable != nullptr ? dyn_cast<ConstantInt>(variable->getArraySize()) : nullptr;
    if (count == nullptr)
      continue;
    const std::uint64_t element =
        function.getDataLayout().getTypeAllocSize(variable->getAllocatedType()).getKnownMinValue();
    bytes = SaturatingMultiplyAdd(element, count->getValue().getLimitedValue(), bytes);
  }
  return bytes;
}

bool has_variable_frame(const Function& function) {
  return any_of(instructions(function), [](const Instruction& instruction) {
    const auto* variable = dyn_cast<AllocaInst>(&instruction);
    return variable != nullptr && !variable->isStaticAlloca();
  });
}

} // namespace falx::jit
