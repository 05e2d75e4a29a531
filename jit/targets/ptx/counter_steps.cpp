// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                          After:
//   %i = phi i32 [ 0, %entry ], [ %next, %loop ]     %i = phi i32 [ 0, %entry ], [ %next, %loop ]
//   %next = add nuw i32 %i, 1                        ...
//   ...                                              %more = icmp ult i32 %i, 399
//   %more = icmp ult i32 %i, 399                     %next = add nuw i32 %i, 1
//   br i1 %again, label %loop, label %end            br i1 %again, label %loop, label %end
//
// Where the program writes `if (++i < 400 && more)`, LLVM prefers to compare the old value with 399, and
// leaves the step where it was. Both values then live at once, and every iteration copies one to the other.

#include "passes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace falx::jit {

/// Is this the value that a phi has in the next iteration, a constant further on?
static bool is_step(const Instruction& instruction) {
  const auto* counter = dyn_cast<PHINode>(instruction.getOperand(0));
  return instruction.getOpcode() == Instruction::Add && counter != nullptr &&
         isa<ConstantInt>(instruction.getOperand(1)) &&
         is_contained(counter->incoming_values(), &instruction);
}

static bool is_used_in_its_block(const Instruction& instruction) {
  return any_of(instruction.users(), [&](const User* user) {
    return !isa<PHINode>(user) && cast<Instruction>(user)->getParent() == instruction.getParent();
  });
}

PreservedAnalyses sink_counter_steps::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<Instruction*> steps; // first, as a step that has moved would be met again
  for (Instruction& instruction : instructions(function))
    if (instruction.getNumOperands() == 2 && is_step(instruction) && !is_used_in_its_block(instruction))
      steps.push_back(&instruction);
  for (Instruction* step : steps)
    step->moveBefore(step->getParent()->getTerminator()->getIterator());
  return PreservedAnalyses::none();
}

} // namespace falx::jit
