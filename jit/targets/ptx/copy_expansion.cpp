// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) align 16 %to, ptr addrspace(1) align 16 %from, i64 20,
//   …)
// After:
//   %0 = load <4 x i32>, ptr addrspace(1) %from, align 16
//   %1 = load i32, ptr addrspace(1) %from + 16, align 16
//   store <4 x i32> %0, ptr addrspace(3) %to, align 16
//   store i32 %1, ptr addrspace(3) %to + 16, align 16
//
// All loads come first, so this is right for memmove as well.

#include "passes.hpp"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace falx::jit {

/// The type of \p bytes (a power of two) in registers.
static Type* chunk_type(std::uint64_t bytes, LLVMContext& context) {
  Type* word = Type::getInt32Ty(context);
  return bytes > 4 ? static_cast<Type*>(FixedVectorType::get(word, unsigned(bytes / 4)))
                   : Type::getIntNTy(context, unsigned(bytes * 8));
}

static void expand(MemTransferInst& copy, std::uint64_t length) {
  struct chunk {
    std::uint64_t offset;
    Value* value;
  };
  IRBuilder<> builder(&copy);
  const Align from = copy.getSourceAlign().valueOrOne(), to = copy.getDestAlign().valueOrOne();
  SmallVector<chunk, 8> chunks;
  for (std::uint64_t offset = 0; offset < length;) {
    std::uint64_t bytes = std::min<std::uint64_t>(
        {16, commonAlignment(from, offset).value(), commonAlignment(to, offset).value()});
    while (bytes > length - offset)
      bytes /= 2;
    Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getRawSource(), offset);
    chunks.push_back({offset, builder.CreateAlignedLoad(chunk_type(bytes, copy.getContext()), address,
                                                        commonAlignment(from, offset))});
    offset += bytes;
  }
  for (const chunk& part : chunks)
    builder.CreateAlignedStore(
        part.value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getRawDest(), part.offset),
        commonAlignment(to, part.offset));
  copy.eraseFromParent();
}

PreservedAnalyses expand_small_copies::run(Function& function, FunctionAnalysisManager& analyses) {
  const std::uint64_t most =
      analyses.getResult<TargetIRAnalysis>(function).getMaxMemIntrinsicInlineSizeThreshold();
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* copy = dyn_cast<MemTransferInst>(&instruction);
    if (copy == nullptr || copy->isVolatile())
      continue;
    const auto* length = dyn_cast<ConstantInt>(copy->getLength());
    const std::uint64_t narrowest =
        std::min(copy->getSourceAlign().valueOrOne().value(), copy->getDestAlign().valueOrOne().value());
    if (length == nullptr || length->getZExtValue() > most || narrowest < 4)
      continue;
    expand(*copy, length->getZExtValue());
  }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
