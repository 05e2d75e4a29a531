// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                          After:
//   %v = load i8, ptr %p                             %v = load i8, ptr %p
//   %same = icmp eq i8 %v, %wanted                   %same = icmp eq i8 %v, %wanted
//   br i1 %again, label %loop, label %end            br i1 %again, label %loop, label %end, !llvm.loop !0
//                                                  !0 = distinct !{!0, !1}
//                                                  !1 = !{!"llvm.loop.vectorize.enable", i32 0}
//
// LLVM's vectorizer takes four bytes for a register's worth of work. A GPU has one load or store for them,
// and bitwise operations, but nothing that computes with the bytes in a register: each is taken out of it. So
// vectors of bytes pay where these are moved, and cost where they are computed with. Bytes that become halves
// or integers of 16 bits, of which there are pairs, are left to LLVM.

#include "passes.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace falx::jit {

static bool computes_with_bytes(const Instruction& instruction) {
  if (isa<PHINode, LoadInst, StoreInst>(instruction) || instruction.isBitwiseLogicOp())
    return false;
  return instruction.getType()->isIntegerTy(8) ||
         any_of(instruction.operands(), [](const Use& use) { return use->getType()->isIntegerTy(8); });
}

/// LLVM chooses the number of lanes by the widest number that is loaded, stored or carried along.
static bool has_wider_numbers(const Instruction& instruction) {
  const Type* type = isa<LoadInst>(instruction) ? instruction.getType() : nullptr;
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    type = store->getValueOperand()->getType();
  else if (isa<PHINode>(instruction) && !instruction.getType()->isIntegerTy()) // those may be counters
    type = instruction.getType();
  return type != nullptr && type->getPrimitiveSizeInBits() > 8;
}

static bool computes_with_bytes(const Loop& loop) {
  const auto any = [&](bool (*matches)(const Instruction&)) {
    return any_of(loop.blocks(), [&](const BasicBlock* block) { return any_of(*block, matches); });
  };
  return any(computes_with_bytes) && !any(has_wider_numbers);
}

PreservedAnalyses keep_bytes_scalar::run(Function& function, FunctionAnalysisManager& analyses) {
  constexpr const char* ENABLE = "llvm.loop.vectorize.enable";
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->isInnermost() && findStringMetadataForLoop(loop, ENABLE) == std::nullopt &&
        computes_with_bytes(*loop))
      addStringMetadataToLoop(loop, ENABLE, 0);
  return PreservedAnalyses::all();
}

} // namespace falx::jit
