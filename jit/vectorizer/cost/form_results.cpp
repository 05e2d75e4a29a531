// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same:
//   %s = call float @llvm.fmuladd.f32(float %a, float %b, float %c)
//   %r = call float @llvm.sqrt.f32(float %x)
//   %old = atomicrmw add ptr %bin, i32 1 monotonic
// Not the same:
//   %s = fadd contract float %product, %c                    ; fused, or not
//   %r = call float @erff(float %x)                          ; SLEEF's, or the C library's
//   %flag = load atomic i32, ptr %of_neighbour acquire       ; and a branch, in a loop that waits for it

#include "form_results.hpp"
#include "frontend/builtin_calls.hpp"
#include "vectorizer/emission/vector_calls.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace falx::jit::simd {

/// What the flags allow depends on the instructions around it; what errors may have, on whether it is a
/// vector (special/estimate_roots.cpp).
static bool is_rounded_as_written(const Instruction& instruction) {
  const auto* arithmetic = dyn_cast<FPMathOperator>(&instruction);
  if (arithmetic == nullptr)
    return true;
  const FastMathFlags flags = arithmetic->getFastMathFlags();
  return !flags.allowReassoc() && !flags.allowContract() && !flags.allowReciprocal() && !flags.approxFunc() &&
         arithmetic->getFPAccuracy() == 0;
}

/// It reads what other work-items may write meanwhile.
static bool sees_other_work_items(const Instruction& instruction) {
  if (instruction.isVolatile() || (instruction.isAtomic() && !isa<FenceInst>(instruction)))
    return !instruction.use_empty();
  const auto* call = dyn_cast<CallBase>(&instruction);
  return call != nullptr && !isa<IntrinsicInst>(call) && builtin_name(instruction).empty() &&
         call->mayReadFromMemory();
}

/// A branch depends on \p value by way of other values.
static bool decides_branch(const Instruction& value) {
  SmallVector<const Instruction*, 8> open{&value};
  SmallPtrSet<const Instruction*, 16> seen{&value};
  while (!open.empty())
    for (const User* user : open.pop_back_val()->users()) {
      const auto* instruction = cast<Instruction>(user);
      if (instruction->isTerminator())
        return true;
      if (seen.insert(instruction).second)
        open.push_back(instruction);
    }
  return false;
}

/// A loop may go on until another work-item has written something: then it ends or not by the order in which
/// they run.
static bool may_wait(const Instruction& instruction, const LoopInfo& loops) {
  return loops.getLoopFor(instruction.getParent()) != nullptr && sees_other_work_items(instruction) &&
         (isa<CallBase>(instruction) || decides_branch(instruction));
}

bool have_forms_same_results(const Function& work_item, const LoopInfo& loops) {
  return all_of(instructions(work_item), [&](const Instruction& instruction) {
    const auto* call = dyn_cast<CallInst>(&instruction);
    return is_rounded_as_written(instruction) && (call == nullptr || !is_vector_math(*call)) &&
           !may_wait(instruction, loops);
  });
}

} // namespace falx::jit::simd
