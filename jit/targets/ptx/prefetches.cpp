// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   call void @llvm.prefetch.p1(ptr addrspace(1) %p, i32 0, i32 3, i32 1)
//   call void @llvm.prefetch.p3(ptr addrspace(3) %q, i32 0, i32 3, i32 1)
// After (shared memory has nothing to fetch):
//   call void asm sideeffect "prefetch.global.L1 [$0];", "l"(i64 %p)
//
// LLVM's own intrinsics for it are selected from sm_90 and PTX 8.0 on only.

#include "passes.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/NVPTXAddrSpace.h>

#include <string>

using namespace llvm;

namespace falx::jit {

/// What is used again and again belongs close by.
constexpr std::uint64_t HIGHEST_LOCALITY = 3;

PreservedAnalyses form_prefetches::run(Function& function, FunctionAnalysisManager&) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* call = dyn_cast<IntrinsicInst>(&instruction);
    if (call == nullptr || call->getIntrinsicID() != Intrinsic::prefetch)
      continue;
    Value* address = call->getArgOperand(0);
    const bool close = cast<ConstantInt>(call->getArgOperand(2))->getZExtValue() == HIGHEST_LOCALITY;
    const bool of_data = cast<ConstantInt>(call->getArgOperand(3))->isOne();
    const unsigned space = address->getType()->getPointerAddressSpace();
    const bool is_global = space == NVPTXAS::ADDRESS_SPACE_GLOBAL;
    if (of_data && (is_global || space == NVPTXAS::ADDRESS_SPACE_GENERIC)) {
      IRBuilder<> builder(call);
      FunctionType* form = FunctionType::get(builder.getVoidTy(), {builder.getInt64Ty()}, false);
      const std::string text =
          std::string("prefetch") + (is_global ? ".global" : "") + (close ? ".L1" : ".L2") + " [$0];";
      builder.CreateCall(form, InlineAsm::get(form, text, "l", /*hasSideEffects=*/true),
                         {builder.CreatePtrToInt(address, builder.getInt64Ty())});
    }
    call->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
