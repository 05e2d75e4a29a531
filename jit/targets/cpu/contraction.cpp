// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   %p = fmul contract float %a, %b
//   %s = fadd contract float %p, %c
//   %t = fsub contract float %d, %s
// After:
//   %s = call float @llvm.fmuladd.f32(float %a, float %b, float %c)
//   %t = fsub float %d, %s
// What is fused is the same then in all that is made of the kernel: vectors, one work-item after the other,
// quick code. Products are fused where instruction selection would do so in the kernel as it is here. Where
// sums may be reordered, too (reassoc), all is left to it.

#include "passes.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

#include <optional>

using namespace llvm;

namespace falx::jit {

static bool is_to_be_contracted(const Instruction& instruction) {
  const auto* arithmetic = dyn_cast<FPMathOperator>(&instruction);
  return arithmetic != nullptr && arithmetic->hasAllowContract() && !arithmetic->hasAllowReassoc();
}

/// Whether \p operand of \p sum is a product of which that is all.
static bool is_product(const Value& operand, const Instruction& sum) {
  const auto* product = dyn_cast<BinaryOperator>(&operand);
  return product != nullptr && product->getOpcode() == Instruction::FMul && product->hasOneUse() &&
         product->getParent() == sum.getParent() && is_to_be_contracted(*product);
}

/// Which operand of \p sum is fused with it.
static std::optional<unsigned> fused_operand(const Instruction& sum) {
  if (sum.getOpcode() == Instruction::FAdd || sum.getOpcode() == Instruction::FSub)
    for (const unsigned operand : {0U, 1U})
      if (is_product(*sum.getOperand(operand), sum))
        return operand;
  return std::nullopt;
}

static void fuse(Instruction& sum, unsigned operand) {
  auto* product = cast<Instruction>(sum.getOperand(operand));
  IRBuilder<> builder(&sum);
  Value *factor = product->getOperand(0), *rest = sum.getOperand(1 - operand);
  if (sum.getOpcode() == Instruction::FSub) {
    Value*& taken = operand == 0 ? rest : factor;
    taken = builder.CreateFNeg(taken);
  }
  CallInst* fused =
      builder.CreateIntrinsic(Intrinsic::fmuladd, {sum.getType()}, {factor, product->getOperand(1), rest});
  FastMathFlags flags = sum.getFastMathFlags() & product->getFastMathFlags();
  flags.setAllowContract(false);
  fused->setFastMathFlags(flags);
  fused->takeName(&sum);
  sum.replaceAllUsesWith(fused);
  sum.eraseFromParent();
  product->eraseFromParent();
}

PreservedAnalyses fuse_contracted::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<Instruction*> contracted;
  for (Instruction& instruction : instructions(function))
    if (is_to_be_contracted(instruction))
      contracted.push_back(&instruction);
  // Products stand before what is fused with them, so none is looked at once it is gone.
  for (Instruction* instruction : contracted)
    if (const std::optional<unsigned> operand = fused_operand(*instruction))
      fuse(*instruction, *operand);
  for (Instruction& instruction : instructions(function))
    if (is_to_be_contracted(instruction))
      instruction.setHasAllowContract(false);
  if (contracted.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

} // namespace falx::jit
