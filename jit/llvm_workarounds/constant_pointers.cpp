// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                        After:
//                                                  %hidden = freeze ptr @table
//   loop:                                          loop:
//   %p = phi ptr [ %global, .. ], [ %q, .. ]       %p = phi ptr [ %global, .. ], [ %q, .. ]
//   %q = getelementptr i8, ptr @table, i64 %i      %q = getelementptr i8, ptr %hidden, i64 %i
//
// InferAddressSpaces of LLVM 22 has no opinion on addresses that are made of constants alone, and takes a phi
// or select of such a one and of a pointer to global memory for global. What it did not infer it has no new
// operand for: the new phi has a null in its place. Frozen, a constant is a pointer like any other, of the
// generic address space. %global stands for a cast from the global one.

#include "workarounds.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace falx::jit {

using addresses = SmallPtrSet<const Instruction*, 16>;

/// Pointers of the generic address space that others are made of.
static bool is_address(const Instruction& instruction) {
  return instruction.getType() == PointerType::get(instruction.getContext(), 0) &&
         isa<GetElementPtrInst, PHINode, SelectInst>(instruction);
}

/// Not one whose address space it says.
static bool is_generic_constant(const Value& value) {
  return isa<Constant>(value) && getUnderlyingObject(&value)->getType()->getPointerAddressSpace() == 0;
}

/// What is made of constants, however often it goes around in phis.
static addresses made_of_constants(const Function& function) {
  addresses result;
  for (const Instruction& instruction : instructions(function))
    if (is_address(instruction))
      result.insert(&instruction);
  const auto is_other = [&](const Instruction& address) {
    return any_of(address.operands(), [&](const Use& operand) {
      const auto* from = dyn_cast<Instruction>(operand);
      return operand->getType() == address.getType() && !is_generic_constant(*operand) &&
             (from == nullptr || !result.contains(from));
    });
  };
  for (bool changes = true; changes;) {
    changes = false;
    for (const Instruction& instruction : instructions(function))
      if (result.contains(&instruction) && is_other(instruction)) {
        result.erase(&instruction);
        changes = true;
      }
  }
  return result;
}

PreservedAnalyses hide_constant_pointers::run(Function& function, FunctionAnalysisManager&) {
  const addresses constants = made_of_constants(function);
  SmallVector<Instruction*> meets_others; // those of constants that phis and selects of others have
  for (Instruction& instruction : instructions(function))
    if (is_address(instruction) && !constants.contains(&instruction))
      for (const Use& operand : instruction.operands())
        if (auto* from = dyn_cast<Instruction>(operand); from != nullptr && constants.contains(from))
          meets_others.push_back(from);
  if (meets_others.empty())
    return PreservedAnalyses::all();

  IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  DenseMap<Value*, Value*> hidden;
  addresses done;
  while (!meets_others.empty()) {
    Instruction* const address = meets_others.pop_back_val();
    if (!done.insert(address).second)
      continue;
    for (Use& operand : address->operands())
      if (operand->getType() != address->getType()) {
        continue; // an index or a condition
      } else if (auto* from = dyn_cast<Instruction>(operand)) {
        if (constants.contains(from))
          meets_others.push_back(from);
      } else {
        Value*& frozen = hidden[operand];
        if (frozen == nullptr)
          frozen = builder.CreateFreeze(operand);
        operand = frozen;
      }
  }
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace falx::jit
