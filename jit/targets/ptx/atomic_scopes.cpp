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

#include "builtins.hpp"

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
      } else if (user->isAtomic() &&
                 use.getOperandNo() == (isa<StoreInst>(user) ? StoreInst::getPointerOperandIndex() : 0)) {
        setAtomicSyncScopeID(user, scope);
      }
    }
}

void emit_fence(const CallInst& call, IRBuilder<>& builder) {
  // By the numbers of C's memory_order.
  static constexpr AtomicOrdering ORDERS[] = {
      AtomicOrdering::Monotonic, AtomicOrdering::Acquire,        AtomicOrdering::Acquire,
      AtomicOrdering::Release,   AtomicOrdering::AcquireRelease, AtomicOrdering::SequentiallyConsistent};
  const auto* constant = dyn_cast<ConstantInt>(call.getArgOperand(0));
  const std::uint64_t number = constant != nullptr ? constant->getLimitedValue() : std::size(ORDERS);
  const AtomicOrdering order =
      number < std::size(ORDERS) ? ORDERS[number] : AtomicOrdering::SequentiallyConsistent;
  if (order != AtomicOrdering::Monotonic)
    builder.CreateFence(order, scope_of(call.getArgOperand(1)));
}

} // namespace falx::jit
