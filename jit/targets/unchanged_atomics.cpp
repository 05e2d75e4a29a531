// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//     %old = atomicrmw fmax ptr %p, float %x monotonic
// After:
//     %seen = load atomic float, ptr %p monotonic
//     %rises = fcmp ult float %seen, %x
//     %is.number = fcmp ord float %x, 0.0
//     br i1 (and %rises, %is.number), label %change, label %done
//   change:
//     %changed = atomicrmw fmax ptr %p, float %x monotonic
//   done:
//     %old = phi float [ %seen, … ], [ %changed, %change ]
//
// An operation that writes what it has read may as well only read, as nothing else orders after a relaxed
// one. Whether the value is another is asked as fmax and fmin do: a number takes the place of NaN, and not
// the other way about.

#include "unchanged_atomics.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace falx::jit {

static bool may_be_unchanged(AtomicRMWInst::BinOp operation, skip_unchanged_atomics::numbers which) {
  switch (operation) {
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
    return true;
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::And:
    return which == skip_unchanged_atomics::numbers::all;
  default:
    return false;
  }
}

/// Of scalars that one load reads.
static bool may_look_first(const AtomicRMWInst& modify) {
  const Type* type = modify.getType();
  return modify.getOrdering() == AtomicOrdering::Monotonic && !modify.isVolatile() && !type->isVectorTy() &&
         type->getPrimitiveSizeInBits() <= 64 &&
         modify.getAlign().value() * 8 >= type->getPrimitiveSizeInBits().getFixedValue();
}

/// Of an operation that may leave its object as it is.
static Value* changes(AtomicRMWInst& modify, Value* seen, IRBuilder<>& builder) {
  Value* const given = modify.getValOperand();
  switch (modify.getOperation()) {
  case AtomicRMWInst::Max:
    return builder.CreateICmpSLT(seen, given);
  case AtomicRMWInst::Min:
    return builder.CreateICmpSGT(seen, given);
  case AtomicRMWInst::UMax:
    return builder.CreateICmpULT(seen, given);
  case AtomicRMWInst::UMin:
    return builder.CreateICmpUGT(seen, given);
  case AtomicRMWInst::Or:
    return builder.CreateICmpNE(builder.CreateOr(seen, given), seen);
  case AtomicRMWInst::And:
    return builder.CreateICmpNE(builder.CreateAnd(seen, given), seen);
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin: {
    const bool is_maximum = modify.getOperation() == AtomicRMWInst::FMax;
    Value* const is_beyond =
        builder.CreateFCmp(is_maximum ? CmpInst::FCMP_ULT : CmpInst::FCMP_UGT, seen, given);
    return builder.CreateAnd(is_beyond, builder.CreateFCmpORD(given, ConstantFP::getZero(given->getType())));
  }
  default:
    llvm_unreachable("an operation that always changes its object");
  }
}

static void look_first(AtomicRMWInst& modify) {
  IRBuilder<> builder(&modify);
  LoadInst* const seen =
      builder.CreateAlignedLoad(modify.getType(), modify.getPointerOperand(), modify.getAlign());
  seen->setAtomic(AtomicOrdering::Monotonic, modify.getSyncScopeID());
  Value* const condition = changes(modify, seen, builder);
  BasicBlock* const before = modify.getParent();
  Instruction* const end = SplitBlockAndInsertIfThen(condition, modify.getIterator(), /*Unreachable=*/false);
  BasicBlock* const change = end->getParent();
  BasicBlock* const after = modify.getParent();
  builder.SetInsertPoint(after, after->begin());
  PHINode* const old = builder.CreatePHI(modify.getType(), 2);
  modify.replaceAllUsesWith(old);
  modify.moveBefore(end->getIterator());
  old->addIncoming(seen, before);
  old->addIncoming(&modify, change);
  if (old->use_empty())
    old->eraseFromParent();
}

/// Fences order by relaxed operations, also by those that write what was there: a kernel that has one,
/// wherever, keeps its operations.
static bool has_fences(const Module& module) {
  for (const Function& function : module) {
    const StringRef name = function.getName();
    if ((name.starts_with("llvm.nvvm.membar") || name.starts_with("llvm.nvvm.fence")) &&
        !function.use_empty())
      return true;
    for (const Instruction& each : instructions(function)) {
      const auto* call = dyn_cast<CallBase>(&each);
      if (isa<FenceInst>(each) || (call != nullptr && call->isInlineAsm() && call->mayWriteToMemory()))
        return true;
    }
  }
  return false;
}

PreservedAnalyses skip_unchanged_atomics::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<AtomicRMWInst*, 8> operations;
  for (Instruction& instruction : instructions(function))
    if (auto* modify = dyn_cast<AtomicRMWInst>(&instruction);
        modify != nullptr && may_be_unchanged(modify->getOperation(), which_) && may_look_first(*modify))
      operations.push_back(modify);
  if (operations.empty() || has_fences(*function.getParent()))
    return PreservedAnalyses::all();
  for (AtomicRMWInst* modify : operations)
    look_first(*modify);
  return PreservedAnalyses::none();
}

} // namespace falx::jit
