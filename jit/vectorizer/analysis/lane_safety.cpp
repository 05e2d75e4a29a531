// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lane_safety.hpp"
#include "frontend/passes.hpp"
#include "vectorizer/emission/sub_group_builtins.hpp"
#include "vectorizer/emission/vector_atomics.hpp"
#include "vectorizer/emission/vector_calls.hpp"

#include <llvm/Analysis/Loads.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstdlib>

using namespace llvm;

namespace falx::jit::simd {

bool has_vector_layout(Type* type, const DataLayout& layout) {
  return (type->isIntegerTy() || type->isPointerTy() || type->isFloatingPointTy()) && !type->isX86_FP80Ty() &&
         layout.getTypeSizeInBits(type) == layout.getTypeAllocSizeInBits(type) &&
         !(type->isIntegerTy() && type->getIntegerBitWidth() > 64);
}

bool is_dense_prefetch(const CallInst& call, const lane_shapes& shapes) {
  if (call.getIntrinsicID() != Intrinsic::prefetch)
    return false;
  const lane_shape address = shapes[call.getArgOperand(0)];
  return address.is_progression() && std::abs(address.stride) < std::int64_t(CPU_CACHE_LINE_BYTES);
}

bool runs_lane_by_lane(const Instruction& instruction, const lane_shapes& shapes) {
  if (const auto* call = dyn_cast<CallInst>(&instruction)) {
    if (!sub_group_builtin(*call).empty() || is_dense_prefetch(*call, shapes))
      return false;
    if (shapes[call].is_scalar())
      return false;
    return !has_vector_form(*call);
  }
  if (const auto* modification = dyn_cast<AtomicRMWInst>(&instruction))
    return !is_combined(*modification, shapes);
  if (isa<AtomicCmpXchgInst>(instruction))
    return true;
  // A call of fmod. As a vector LLVM would make one after the other of them, with all that they overwrite
  // kept around each.
  if (instruction.getOpcode() == Instruction::FRem)
    return !shapes[&instruction].is_scalar();
  const DataLayout& layout = instruction.getDataLayout();
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return !shapes[load].is_scalar() && (!load->isSimple() || !has_vector_layout(load->getType(), layout));
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return store->isVolatile() || (!store->isSimple() && !shapes[store->getPointerOperand()].is_uniform()) ||
           (!shapes[store->getPointerOperand()].is_uniform() &&
            !has_vector_layout(store->getValueOperand()->getType(), layout));
  return false;
}

bool is_safe_without_lanes(const Instruction& instruction, const lane_shapes& shapes) {
  if (isa<PHINode, AllocaInst>(instruction) || instruction.isTerminator())
    return true;
  if (const auto* call = dyn_cast<CallInst>(&instruction))
    if (sub_group_builtin(*call) == "local_id" || sub_group_builtin(*call) == "id" ||
        sub_group_builtin(*call) == "barrier")
      return true;
  if (runs_lane_by_lane(instruction, shapes) || isa<AtomicRMWInst>(instruction))
    return false;
  if (instruction.getType()->isVoidTy() ? false : shapes[&instruction].is_scalar())
    return isSafeToSpeculativelyExecute(&instruction);
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return !shapes[store->getPointerOperand()].is_uniform();
  if (const auto* call = dyn_cast<CallInst>(&instruction)) {
    const auto* intrinsic = dyn_cast<IntrinsicInst>(call);
    return call->doesNotAccessMemory() || is_dense_prefetch(*call, shapes) ||
           (intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic());
  }
  // Masked accesses, and arithmetic whose operands are made harmless in inactive lanes.
  return true;
}

} // namespace falx::jit::simd
