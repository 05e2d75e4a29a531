// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a lane's load becomes, by the shape of its address:
//   uniform                     a scalar load
//   stride = size               a vector load, masked unless it is of a private variable
//   stride = -size              the same, of the last lane's address, turned round
//   a small multiple of size    see vector_structures.cpp
//   any other                   a gather, see also vector_wrapping.cpp
// and in the same way for stores, where several lanes that store to one address let the last one win.

#include "interleaved_variables.hpp"
#include "vectorizer/emission/vector_emission.hpp"

#include <llvm/Analysis/ValueTracking.h>

using namespace llvm;

namespace falx::jit::simd {

static constexpr unsigned KEPT_METADATA[] = {LLVMContext::MD_tbaa, LLVMContext::MD_invariant_load,
                                             LLVMContext::MD_alias_scope, LLVMContext::MD_noalias};

void vector_emission::copy_access_metadata(const Instruction& from, Instruction& to) {
  to.copyMetadata(from, KEPT_METADATA);
}

/// Lanes' addresses follow each other without a gap.
static bool is_contiguous(const lane_shape& address, std::uint64_t size) {
  return address.is_progression() && size != 0 && address.stride == std::int64_t(size);
}

/// As is_contiguous, the last lane first.
static bool is_descending(const lane_shape& address, std::uint64_t size) {
  return address.is_progression() && size != 0 && address.stride == -std::int64_t(size);
}

/// A vector of consecutive elements at \p pointer is in an interleaved variable, so that inactive lanes may
/// touch theirs, too.
bool vector_emission::is_own_memory(const Value& pointer, Type& type) const {
  const DataLayout& layout = vector_.getDataLayout();
  APInt offset(64, 0);
  const auto* variable = dyn_cast<AllocaInst>(
      pointer.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true));
  if (variable != nullptr && interleaved_element(*variable) != 0) {
    const std::uint64_t bytes = layout.getTypeStoreSize(&type) * request_.lanes;
    return offset.ult(*variable->getAllocationSize(layout)) &&
           offset.getZExtValue() + bytes <= *variable->getAllocationSize(layout);
  }
  // Where an active lane is within the variable, all are.
  variable = dyn_cast<AllocaInst>(getUnderlyingObject(&pointer));
  return has_active_lane_ && variable != nullptr && interleaved_element(*variable) != 0;
}

Value* vector_emission::emit_load(LoadInst& load) {
  const Value& pointer = *load.getPointerOperand();
  Type* type = widened(load.getType(), request_.lanes);
  const std::uint64_t size = load.getDataLayout().getTypeStoreSize(load.getType());
  if (is_descending(shapes_[&pointer], size)) {
    CallInst* turned =
        builder_.CreateMaskedLoad(type, made_for_lane(pointer, request_.lanes - 1), load.getAlign(),
                                  builder_.CreateVectorReverse(mask_), Constant::getNullValue(type));
    copy_access_metadata(load, *turned);
    return builder_.CreateVectorReverse(turned, load.getName());
  }
  Instruction* result = nullptr;
  if (!is_contiguous(shapes_[&pointer], size))
    result = builder_.CreateMaskedGather(type, values_.vector(&pointer), load.getAlign(), mask_,
                                         Constant::getNullValue(type), load.getName());
  else if (is_own_memory(pointer, *load.getType()))
    result = builder_.CreateAlignedLoad(type, values_.scalar(&pointer), load.getAlign(), load.getName());
  else
    result = builder_.CreateMaskedLoad(type, values_.scalar(&pointer), load.getAlign(), mask_,
                                       Constant::getNullValue(type), load.getName());
  copy_access_metadata(load, *result);
  return result;
}

void vector_emission::emit_store(StoreInst& store) {
  Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  const lane_shape address = shapes_[pointer];
  if (address.is_uniform()) {
    Value* last = shapes_[value].is_uniform() ? values_.scalar(value) : of_lane(value, last_active());
    StoreInst* ours = builder_.CreateAlignedStore(last, values_.scalar(pointer), store.getAlign());
    ours->setAtomic(store.getOrdering(), store.getSyncScopeID());
    return copy_access_metadata(store, *ours);
  }
  const std::uint64_t size = store.getDataLayout().getTypeStoreSize(value->getType());
  Value* vector = values_.vector(value);
  Instruction* result = nullptr;
  if (is_descending(address, size)) {
    result = builder_.CreateMaskedStore(builder_.CreateVectorReverse(vector),
                                        made_for_lane(*pointer, request_.lanes - 1), store.getAlign(),
                                        builder_.CreateVectorReverse(mask_));
  } else if (!is_contiguous(address, size)) {
    result = builder_.CreateMaskedScatter(vector, values_.vector(pointer), store.getAlign(), mask_);
  } else if (is_own_memory(*pointer, *value->getType())) {
    // Nothing else writes here: so inactive lanes may write what they have read, and variables may become
    // values.
    Value* old = builder_.CreateAlignedLoad(vector->getType(), values_.scalar(pointer), store.getAlign());
    vector = builder_.CreateSelect(mask_, vector, old);
    result = builder_.CreateAlignedStore(vector, values_.scalar(pointer), store.getAlign());
  } else {
    result = builder_.CreateMaskedStore(vector, values_.scalar(pointer), store.getAlign(), mask_);
  }
  copy_access_metadata(store, *result);
}

/// Each lane has its copy, one behind the other, unless the elements' copies are next to each other.
void vector_emission::emit_private_variable(AllocaInst& original) {
  if (interleaved_element(original) != 0) {
    AllocaInst* ours = variable(original.getAllocatedType(), original.getName());
    ours->setAlignment(original.getAlign());
    return values_.set(&original, ours);
  }
  auto* copies =
      ArrayType::get(builder_.getInt8Ty(), std::uint64_t(private_stride(original)) * request_.lanes);
  AllocaInst* ours = variable(copies, original.getName());
  ours->setAlignment(original.getAlign());
  values_.set(&original, ours);
}

} // namespace falx::jit::simd
