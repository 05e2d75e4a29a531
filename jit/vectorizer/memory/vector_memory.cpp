// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a lane's load becomes, by the shape of its address:
//   uniform                     a scalar load
//   at constant distances       vector loads and shuffles, if shuffled_accesses finds these cheaper
//   any other                   a gather, see also vector_wrapping.cpp
// and in the same way for stores, where several lanes that store to one address let the last one win.

#include "interleaved_variables.hpp"
#include "vectorizer/emission/vector_emission.hpp"

using namespace llvm;

namespace falx::jit::simd {

static constexpr unsigned KEPT_METADATA[] = {LLVMContext::MD_tbaa, LLVMContext::MD_invariant_load,
                                             LLVMContext::MD_alias_scope, LLVMContext::MD_noalias};

void vector_emission::copy_access_metadata(const Instruction& from, Instruction& to) {
  to.copyMetadata(from, KEPT_METADATA);
}

Value* vector_emission::emit_load(LoadInst& load) {
  Type* type = widened(load.getType(), request_.lanes);
  Instruction* result =
      builder_.CreateMaskedGather(type, values_.vector(load.getPointerOperand()), load.getAlign(), mask_,
                                  Constant::getNullValue(type), load.getName());
  copy_access_metadata(load, *result);
  return result;
}

void vector_emission::emit_store(StoreInst& store) {
  Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  if (!shapes_[pointer].is_uniform()) {
    Instruction* result =
        builder_.CreateMaskedScatter(values_.vector(value), values_.vector(pointer), store.getAlign(), mask_);
    return copy_access_metadata(store, *result);
  }
  Value* last = shapes_[value].is_uniform() ? values_.scalar(value) : of_lane(value, last_active());
  StoreInst* ours = builder_.CreateAlignedStore(last, values_.scalar(pointer), store.getAlign());
  ours->setAtomic(store.getOrdering(), store.getSyncScopeID());
  copy_access_metadata(store, *ours);
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
