// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work_item_context.hpp"
#include "vectorizer/control/work_item_loops.hpp"

#include <cassert>

using namespace llvm;

namespace falx::jit {

context_slot reserve_context(kernel_attributes& attributes, const DataLayout& layout, Type* type,
                             Align alignment) {
  assert(type->isSized() && !layout.getTypeAllocSize(type).isScalable() && "a slot has a size");
  context_slot slot;
  slot.alignment = alignment;
  slot.size = alignTo(layout.getTypeAllocSize(type), alignment);
  slot.offset = attributes.context_bytes;
  attributes.context_bytes += slot.size;
  // Arrays start at multiples of 64 bytes, as their lengths are multiples of 64; for more, leave room to
  // align.
  if (alignment > 64)
    attributes.context_bytes += alignment.value() / 64;
  return slot;
}

Value* context_count(IRBuilder<>& builder, Function& function, const kernel_attributes& attributes) {
  Value* count = builder.getInt64(1);
  for (unsigned axis = 0; axis < attributes.dimensions; ++axis)
    count = builder.CreateMul(count, local_range(builder, function, attributes, axis), "", true, true);
  return builder.CreateAnd(builder.CreateAdd(count, builder.getInt64(63), "", true, true), ~63ULL, "count");
}

Value* context_array(IRBuilder<>& builder, Function& function, Value* count, const context_slot& slot) {
  assert(slot.size != 0 && slot.size % slot.alignment.value() == 0 && "reserve_context made no such slot");
  Value* base =
      builder.CreateInBoundsGEP(builder.getInt8Ty(), argument(function, parameter::work_item_context),
                                builder.CreateMul(count, builder.getInt64(slot.offset), "", true, true));
  if (slot.alignment <= 64)
    return base;
  Value* up = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, slot.alignment.value() - 1);
  return builder.CreateIntrinsic(Intrinsic::ptrmask, {builder.getPtrTy(), builder.getInt64Ty()},
                                 {up, builder.getInt64(~(slot.alignment.value() - 1))});
}

} // namespace falx::jit
