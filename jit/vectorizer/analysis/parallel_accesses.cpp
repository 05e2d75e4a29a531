// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                After, with !{!"llvm.loop.parallel_accesses", !0} for the loop:
//   define void @body(…) {                 define void @body(…) {
//     %private = alloca [4 x i32]            %private = alloca [4 x i32]
//     store i32 %a, ptr %private             store i32 %a, ptr %private
//     store i32 %b, ptr %global              store i32 %b, ptr %global, !llvm.access.group !0

#include "parallel_accesses.hpp"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace falx::jit {

bool synchronizes(const Function& work_item) {
  for (const Instruction& instruction : instructions(work_item)) {
    if (instruction.isAtomic() || instruction.isVolatile())
      return true;
    const auto* call = dyn_cast<CallInst>(&instruction);
    if (call == nullptr)
      continue;
    const Function* callee = call->getCalledFunction();
    if (callee != nullptr &&
        (callee->getName() == "__falx_work_group_barrier" || callee->getName() == "__falx_sub_group_barrier"))
      continue;
    if (!call->onlyAccessesInaccessibleMemOrArgMem())
      return true;
  }
  return false;
}

/// Can a pointer into a private variable be found in memory, so that any loaded pointer may be one?
static bool private_address_escapes(const Function& body) {
  return any_of(instructions(body), [](const Instruction& instruction) {
    return isa<AllocaInst>(instruction) && PointerMayBeCaptured(&instruction, /*ReturnCaptures=*/true);
  });
}

static bool may_be_private(const Value* pointer) {
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(pointer, objects, nullptr, /*MaxLookup=*/0);
  return any_of(objects, [](const Value* object) { return isa<AllocaInst>(object); });
}

MDNode* declare_parallel_accesses(Function& body) {
  if (synchronizes(body) || private_address_escapes(body))
    return nullptr;
  LLVMContext& context = body.getContext();
  MDNode* group = MDNode::getDistinct(context, {});
  for (Instruction& instruction : instructions(body)) {
    if (!instruction.mayReadOrWriteMemory())
      continue;
    if (const Value* pointer = getLoadStorePointerOperand(&instruction)) {
      if (may_be_private(pointer))
        continue;
    } else if (auto* transfer = dyn_cast<MemIntrinsic>(&instruction)) {
      if (may_be_private(transfer->getDest()))
        continue;
      if (auto* copy = dyn_cast<MemTransferInst>(transfer);
          copy != nullptr && may_be_private(copy->getSource()))
        continue;
    } else {
      continue;
    }
    instruction.setMetadata(LLVMContext::MD_access_group, group);
  }
  MDNode* parallel = MDNode::get(context, {MDString::get(context, "llvm.loop.parallel_accesses"), group});
  MDNode* whole = MDNode::get(context, {MDString::get(context, "llvm.loop.unroll.disable")});
  MDNode* loop = MDNode::getDistinct(context, {nullptr, parallel, whole});
  loop->replaceOperandWith(0, loop);
  return loop;
}

} // namespace falx::jit
