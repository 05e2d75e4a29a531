// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   call void @llvm.memcpy(ptr addrspace(3) align 16 %to, ptr addrspace(1) align 16 %from, i64 20, …)
// After:
//   %0 = load <4 x i32>, ptr addrspace(1) %from, align 16
//   %1 = load i32, ptr addrspace(1) %from + 16, align 16
//   store <4 x i32> %0, ptr addrspace(3) %to, align 16
//   store i32 %1, ptr addrspace(3) %to + 16, align 16
//
// All loads come first, so this is right for memmove as well. Copies that are longer become loops of such
// steps, where LLVM would copy byte by byte; what then is left is LLVM's.
//
// LLVM drops memmove between pointers of two address spaces (NVPTXLowerAggrCopies erases what
// expandMemMoveAsLoop refuses to expand; llvm_workarounds/README.md). It becomes memcpy if the two cannot
// overlap, and otherwise goes through generic addresses:
//   call void @llvm.memmove.p1.p0.i64(ptr addrspace(1) %to, ptr %from, i64 %length, …)
// becomes
//   %generic = addrspacecast ptr addrspace(1) %to to ptr
//   call void @llvm.memmove.p0.p0.i64(ptr %generic, ptr %from, i64 %length, …)

#include "passes.hpp"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/NVPTXAddrSpace.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace falx::jit {

/// The type of \p bytes (a power of two) in registers.
static Type* chunk_type(std::uint64_t bytes, LLVMContext& context) {
  Type* word = Type::getInt32Ty(context);
  return bytes > 4 ? static_cast<Type*>(FixedVectorType::get(word, unsigned(bytes / 4)))
                   : Type::getIntNTy(context, unsigned(bytes * 8));
}

/// Copies \p length bytes at \p builder, at most some registers full.
static void expand(IRBuilder<>& builder, Value* destination, Align to, Value* source, Align from,
                   std::uint64_t length) {
  struct chunk {
    std::uint64_t offset;
    Value* value;
  };
  SmallVector<chunk, 8> chunks;
  for (std::uint64_t offset = 0; offset < length;) {
    std::uint64_t bytes = std::min<std::uint64_t>(
        {16, commonAlignment(from, offset).value(), commonAlignment(to, offset).value()});
    while (bytes > length - offset)
      bytes /= 2;
    Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), source, offset);
    chunks.push_back({offset, builder.CreateAlignedLoad(chunk_type(bytes, builder.getContext()), address,
                                                        commonAlignment(from, offset))});
    offset += bytes;
  }
  for (const chunk& part : chunks)
    builder.CreateAlignedStore(
        part.value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), destination, part.offset),
        commonAlignment(to, part.offset));
}

/// Copies that are longer than \p step bytes and do not overlap: a loop, and what is left behind it.
static void expand_in_steps(MemTransferInst& copy, std::uint64_t length, std::uint64_t step) {
  const Align from = copy.getSourceAlign().valueOrOne(), to = copy.getDestAlign().valueOrOne();
  IRBuilder<> builder(&copy);
  std::uint64_t done = 0;
  if (length > step) {
    const auto [body, number] =
        SplitBlockAndInsertSimpleForLoop(builder.getInt64(length / step), copy.getIterator());
    builder.SetInsertPoint(body);
    Value* offset = builder.CreateMul(number, builder.getInt64(step), "", true, true);
    Value* destination = builder.CreateInBoundsGEP(builder.getInt8Ty(), copy.getRawDest(), offset);
    Value* source = builder.CreateInBoundsGEP(builder.getInt8Ty(), copy.getRawSource(), offset);
    expand(builder, destination, commonAlignment(to, step), source, commonAlignment(from, step), step);
    done = alignDown(length, step);
    builder.SetInsertPoint(&copy);
  }
  expand(builder, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getRawDest(), done),
         commonAlignment(to, done),
         builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getRawSource(), done),
         commonAlignment(from, done), length - done);
}

/// Two pointers of different address spaces never reach the same memory.
static bool are_disjoint(const Value& one, const Value& other) {
  const auto is_in = [](const Value& value, ArrayRef<unsigned> spaces) {
    return is_contained(spaces, value.getType()->getPointerAddressSpace());
  };
  const auto is_variable = [](const Value& value) { return isa<AllocaInst>(getUnderlyingObject(&value)); };
  const unsigned shared_by_all[] = {NVPTXAS::ADDRESS_SPACE_GLOBAL, NVPTXAS::ADDRESS_SPACE_SHARED};
  if (is_in(one, shared_by_all) && is_in(other, shared_by_all))
    return true;
  return (is_in(one, shared_by_all) && is_variable(other)) ||
         (is_variable(one) && is_in(other, shared_by_all));
}

/// \p copy, of two address spaces, as a memcpy, or as a memmove of generic pointers.
static MemTransferInst& within_one_space(MemMoveInst& copy) {
  IRBuilder<> builder(&copy);
  const MaybeAlign to = copy.getDestAlign(), from = copy.getSourceAlign();
  CallInst* result = nullptr;
  if (are_disjoint(*copy.getRawDest(), *copy.getRawSource())) {
    result = builder.CreateMemCpy(copy.getRawDest(), to, copy.getRawSource(), from, copy.getLength(),
                                  copy.isVolatile());
  } else {
    const auto generic = [&](Value* pointer) {
      return builder.CreateAddrSpaceCast(pointer, builder.getPtrTy(), "generic");
    };
    result = builder.CreateMemMove(generic(copy.getRawDest()), to, generic(copy.getRawSource()), from,
                                   copy.getLength(), copy.isVolatile());
  }
  copy.eraseFromParent();
  return cast<MemTransferInst>(*result);
}

PreservedAnalyses expand_copies::run(Function& function, FunctionAnalysisManager& analyses) {
  const std::uint64_t step =
      analyses.getResult<TargetIRAnalysis>(function).getMaxMemIntrinsicInlineSizeThreshold();
  SmallVector<MemTransferInst*, 8> copies;
  for (Instruction& instruction : instructions(function))
    if (auto* copy = dyn_cast<MemTransferInst>(&instruction))
      copies.push_back(copy);
  for (MemTransferInst* copy : copies) {
    if (auto* move = dyn_cast<MemMoveInst>(copy);
        move != nullptr && move->getDestAddressSpace() != move->getSourceAddressSpace())
      copy = &within_one_space(*move);
    const auto* length = dyn_cast<ConstantInt>(copy->getLength());
    const Align narrowest = std::min(copy->getSourceAlign().valueOrOne(), copy->getDestAlign().valueOrOne());
    if (copy->isVolatile() || length == nullptr || narrowest < Align(4) ||
        (isa<MemMoveInst>(copy) && length->getZExtValue() > step))
      continue;
    expand_in_steps(*copy, length->getZExtValue(), step);
    copy->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
