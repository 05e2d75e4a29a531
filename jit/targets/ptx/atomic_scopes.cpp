// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, with the number of sycl::memory_scope::device:
//   %q = call ptr @__falx_atomic_scope(ptr %p, i32 3)
//   %old = atomicrmw add ptr %q, i32 1 monotonic
// After:
//   %q = call ptr @__falx_atomic_scope(ptr %p, i32 3)
//   %old = atomicrmw add ptr %q, i32 1 syncscope("device") monotonic
//
// An atomic operation whose scope is not found keeps LLVM's default, the whole system, which is the widest.

#include "atomic_scopes.hpp"

#include <llvm/IR/Constants.h>

using namespace llvm;

namespace falx::jit {

/// Of a number of sycl::memory_scope; a value that is not known at compile time gives the widest.
static SyncScope::ID scope_of(const Value* number) {
  LLVMContext& context = number->getContext();
  const auto* constant = dyn_cast<ConstantInt>(number);
  switch (constant == nullptr ? 4 : constant->getZExtValue()) {
  case 0: // work_item
  case 1: // sub_group
  case 2: // work_group
    return context.getOrInsertSyncScopeID("block");
  case 3: // device
    return context.getOrInsertSyncScopeID("device");
  default: // system
    return SyncScope::System;
  }
}

void apply_atomic_scope(CallInst& call) {
  const SyncScope::ID scope = scope_of(call.getArgOperand(1));
  SmallVector<Value*, 8> pointers = {&call};
  while (!pointers.empty())
    for (Use& use : pointers.pop_back_val()->uses()) {
      auto* user = cast<Instruction>(use.getUser());
      if (isa<GetElementPtrInst>(user) || isa<AddrSpaceCastInst>(user)) {
        pointers.push_back(user);
      } else if (auto* load = dyn_cast<LoadInst>(user)) {
        if (load->isAtomic())
          load->setSyncScopeID(scope);
      } else if (auto* store = dyn_cast<StoreInst>(user)) {
        if (store->isAtomic() && use.getOperandNo() == StoreInst::getPointerOperandIndex())
          store->setSyncScopeID(scope);
      } else if (auto* modify = dyn_cast<AtomicRMWInst>(user)) {
        if (use.getOperandNo() == AtomicRMWInst::getPointerOperandIndex())
          modify->setSyncScopeID(scope);
      } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(user)) {
        if (use.getOperandNo() == AtomicCmpXchgInst::getPointerOperandIndex())
          exchange->setSyncScopeID(scope);
      }
    }
}

void emit_fence(const CallInst& call, IRBuilder<>& builder) {
  AtomicOrdering order = AtomicOrdering::SequentiallyConsistent;
  if (const auto* constant = dyn_cast<ConstantInt>(call.getArgOperand(0));
      constant != nullptr && isValidAtomicOrderingCABI(constant->getZExtValue())) {
    switch (AtomicOrderingCABI(constant->getZExtValue())) {
    case AtomicOrderingCABI::relaxed:
      return;
    case AtomicOrderingCABI::acquire:
    case AtomicOrderingCABI::consume:
      order = AtomicOrdering::Acquire;
      break;
    case AtomicOrderingCABI::release:
      order = AtomicOrdering::Release;
      break;
    case AtomicOrderingCABI::acq_rel:
      order = AtomicOrdering::AcquireRelease;
      break;
    case AtomicOrderingCABI::seq_cst:
      break;
    }
  }
  builder.CreateFence(order, scope_of(call.getArgOperand(1)));
}

} // namespace falx::jit
