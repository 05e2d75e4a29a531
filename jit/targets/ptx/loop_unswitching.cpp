// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                               After:
// loop:                                                   br i1 %flag, label %loop.us, label %loop
//   ...                                                 loop.us:
//   %at = select i1 %flag, i32 %row, i32 %column          ... with %row for %at
//   ...                                                   br i1 %again.us, label %loop.us, label %end
//   br i1 %again, label %loop, label %end               loop:
//                                                         ... with %column for %at
//                                                         br i1 %again, label %loop, label %end
//
// LLVM makes such versions of loops only where branches do not diverge, and asks the target, not the
// condition. A condition that is computed from what the launch passes to the kernel is the same for all
// work-items, so no warp goes through both versions. LLVM would take any condition that does not change in
// the loop, though: where there are others, the loop stays.
//
// What it costs is code: LLVM's limit is 50 instructions more for a condition, without what only one version
// has, and less where versions have been made already. What it gains is in each iteration, so only innermost
// loops are looked at. The conditions of outer loops are mostly whether the loops in them run at all, which
// cost a branch per run, while versions without them cost registers (HeCBench's minisweep: 128 and 84 bytes
// spilled instead of 100).

#include "passes.hpp"
#include "ptx_ir.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>

using namespace llvm;

namespace falx::jit {

/// Is \p value, in a kernel and as far as is looked, computed from constants and what the launch passes?
static bool is_of_launch(const Value& value, unsigned depth = 8) {
  if (isa<Constant>(value) || is_captured(value))
    return true;
  if (depth == 0 || !isa<CastInst, BinaryOperator, CmpInst, SelectInst, FreezeInst, MinMaxIntrinsic>(value))
    return false;
  return all_of(cast<User>(value).operand_values(),
                [&](const Value* operand) { return is_of_launch(*operand, depth - 1); });
}

/// Does the value used decide, alone or with others, what is executed or selected?
static bool is_condition(const Use& use) {
  const User* user = use.getUser();
  if (isa<SwitchInst>(user))
    return use.getOperandNo() == 0;
  return use->getType()->isIntegerTy(1) && isa<BranchInst, SelectInst, BinaryOperator>(user);
}

/// Are there conditions that do not change in the loop, all of them the launch's?
static bool has_conditions_of_launch(const Loop& loop) {
  bool has_any = false;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block)
      for (const Use& use : instruction.operands()) {
        if (isa<Constant>(use) || !is_condition(use) || !loop.isLoopInvariant(use))
          continue;
        if (!is_of_launch(*use))
          return false;
        has_any = true;
      }
  return has_any;
}

PreservedAnalyses unswitch_launch_conditions::run(Loop& loop, LoopAnalysisManager& manager,
                                                  LoopStandardAnalysisResults& analyses,
                                                  LPMUpdater& updater) {
  const bool is_in_kernel = loop.getHeader()->getParent()->getCallingConv() == CallingConv::PTX_Kernel;
  if (!is_in_kernel || !loop.isInnermost() || !has_conditions_of_launch(loop))
    return PreservedAnalyses::all();
  // A target without divergence, which counts instructions.
  TargetTransformInfo target(loop.getHeader()->getDataLayout());
  LoopStandardAnalysisResults told{analyses.AA, analyses.AC,  analyses.DT, analyses.LI,
                                   analyses.SE, analyses.TLI, target,      analyses.MSSA};
  return SimpleLoopUnswitchPass(/*NonTrivial=*/true, /*Trivial=*/false).run(loop, manager, told, updater);
}

} // namespace falx::jit
