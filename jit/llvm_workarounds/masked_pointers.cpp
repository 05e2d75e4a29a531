// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   call void @llvm.masked.store.v16p0.p0(<16 x ptr> %p, ptr align 64 %at, <16 x i1> %mask)
// After:
//   call void @llvm.masked.store.v16p0.p0(<16 x ptr> %p, ptr align 8 %at, <16 x i1> %mask)
//
// Where a target has no instruction for it, LLVM 22 (ScalarizeMaskedMemIntrin) takes such a store apart and
// gives each element the alignment that the vector and the element's size in bits have in common. It asks a
// pointer for its primitive size, which is 0, and so gives all elements the vector's alignment; machine code
// with aligned instructions then faults. InstCombine raises alignments, so this comes last.

#include "vectorizer/memory/masked_access.hpp"
#include "workarounds.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

PreservedAnalyses limit_alignment_of_masked_pointers::run(Function& function, FunctionAnalysisManager&) {
  LLVMContext& context = function.getContext();
  const Align most = function.getDataLayout().getABITypeAlign(PointerType::get(context, 0));
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<IntrinsicInst>(&instruction);
    if (call == nullptr)
      continue;
    const simd::masked_access access(*call);
    if (access.type == nullptr || access.is_scattered || !access.type->getElementType()->isPointerTy() ||
        access.alignment <= most)
      continue;
    call->removeParamAttr(access.address, Attribute::Alignment);
    call->addParamAttr(access.address, Attribute::getWithAlignment(context, most));
  }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
