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
// steps, where LLVM would copy byte by byte; what then is left is LLVM's. Likewise memory that is set, such
// as a large array of a work-item that begins as zeros: what is stored are words of the byte, four at once.
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

/// Of \p length bytes from \p offset on, how many one access takes.
static std::uint64_t bytes_at_once(std::uint64_t offset, std::uint64_t length, Align alignment) {
  std::uint64_t bytes = std::min<std::uint64_t>(16, commonAlignment(alignment, offset).value());
  while (bytes > length - offset)
    bytes /= 2;
  return bytes;
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
    const std::uint64_t bytes = bytes_at_once(offset, length, std::min(from, to));
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

/// Sets \p length bytes at \p builder to the words of a byte.
static void expand(IRBuilder<>& builder, Value* destination, Align to, Value* word, std::uint64_t length) {
  for (std::uint64_t offset = 0; offset < length;) {
    const std::uint64_t bytes = bytes_at_once(offset, length, to);
    Value* value = bytes > 4 ? builder.CreateVectorSplat(unsigned(bytes / 4), word)
                             : builder.CreateTrunc(word, builder.getIntNTy(unsigned(bytes * 8)));
    builder.CreateAlignedStore(value,
                               builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), destination, offset),
                               commonAlignment(to, offset));
    offset += bytes;
  }
}

/// A loop of steps, if there are several, and what is left behind it. \p part expands so many bytes from an
/// offset on, of which a multiple is known.
static void expand_in_steps(
    Instruction& place, std::uint64_t length, std::uint64_t step,
    function_ref<void(IRBuilder<>& builder, Value* offset, std::uint64_t multiple, std::uint64_t bytes)>
        part) {
  IRBuilder<> builder(&place);
  std::uint64_t done = 0;
  if (length > step) {
    const auto [body, number] =
        SplitBlockAndInsertSimpleForLoop(builder.getInt64(length / step), place.getIterator());
    builder.SetInsertPoint(body);
    part(builder, builder.CreateMul(number, builder.getInt64(step), "", true, true), step, step);
    done = alignDown(length, step);
    builder.SetInsertPoint(&place);
  }
  part(builder, builder.getInt64(done), done, length - done);
}

/// Copies of which those that are longer than \p step bytes do not overlap.
static void expand(MemTransferInst& copy, std::uint64_t length, std::uint64_t step) {
  const Align from = copy.getSourceAlign().valueOrOne(), to = copy.getDestAlign().valueOrOne();
  expand_in_steps(copy, length, step,
                  [&](IRBuilder<>& builder, Value* offset, std::uint64_t multiple, std::uint64_t bytes) {
                    Type* byte = builder.getInt8Ty();
                    expand(builder, builder.CreateInBoundsGEP(byte, copy.getRawDest(), offset),
                           commonAlignment(to, multiple),
                           builder.CreateInBoundsGEP(byte, copy.getRawSource(), offset),
                           commonAlignment(from, multiple), bytes);
                  });
  copy.eraseFromParent();
}

/// What LLVM sets byte by byte: more than \p step bytes, with the alignment of words.
static void expand_if_long(MemSetInst& set, std::uint64_t step) {
  const auto* length = dyn_cast<ConstantInt>(set.getLength());
  const Align to = set.getDestAlign().valueOrOne();
  if (set.isVolatile() || length == nullptr || length->getZExtValue() <= step || to < Align(4))
    return;
  IRBuilder<> before(&set);
  constexpr unsigned BYTE_OF_EACH = 0x01010101;
  Value* word =
      before.CreateMul(before.CreateZExt(set.getValue(), before.getInt32Ty()), before.getInt32(BYTE_OF_EACH));
  expand_in_steps(set, length->getZExtValue(), step,
                  [&](IRBuilder<>& builder, Value* offset, std::uint64_t multiple, std::uint64_t bytes) {
                    expand(builder, builder.CreateInBoundsGEP(builder.getInt8Ty(), set.getRawDest(), offset),
                           commonAlignment(to, multiple), word, bytes);
                  });
  set.eraseFromParent();
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
  SmallVector<MemSetInst*, 8> sets;
  for (Instruction& instruction : instructions(function))
    if (auto* copy = dyn_cast<MemTransferInst>(&instruction))
      copies.push_back(copy);
    else if (auto* set = dyn_cast<MemSetInst>(&instruction))
      sets.push_back(set);
  for (MemSetInst* set : sets)
    expand_if_long(*set, step);
  for (MemTransferInst* copy : copies) {
    if (auto* move = dyn_cast<MemMoveInst>(copy);
        move != nullptr && move->getDestAddressSpace() != move->getSourceAddressSpace())
      copy = &within_one_space(*move);
    const auto* length = dyn_cast<ConstantInt>(copy->getLength());
    const Align narrowest = std::min(copy->getSourceAlign().valueOrOne(), copy->getDestAlign().valueOrOne());
    if (copy->isVolatile() || length == nullptr || narrowest < Align(4) ||
        (isa<MemMoveInst>(copy) && length->getZExtValue() > step))
      continue;
    expand(*copy, length->getZExtValue(), step);
  }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
