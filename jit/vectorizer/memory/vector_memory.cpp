// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a lane's load becomes, by the shape of its address:
//   uniform                     a scalar load
//   at constant distances       vector loads and shuffles, if shuffled_accesses finds these cheaper
//   any other                   a gather, see also vector_wrapping.cpp
// and in the same way for stores, where several lanes that store to one address let the last one win.

#include "interleaved_variables.hpp"
#include "memory_emission.hpp"

#include <llvm/Analysis/VectorUtils.h>

using namespace llvm;

namespace falx::jit::simd {

Value* memory_emission::emit(LoadInst& load) {
  Type* type = widened(load.getType(), request_.lanes);
  Instruction* result =
      builder_.CreateMaskedGather(type, values_.vector(load.getPointerOperand()), load.getAlign(),
                                  core_.mask(), Constant::getNullValue(type), load.getName());
  return propagateMetadata(result, {&load});
}

void memory_emission::emit(StoreInst& store) {
  Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  if (!shapes_[pointer].is_uniform()) {
    Instruction* result = builder_.CreateMaskedScatter(values_.vector(value), values_.vector(pointer),
                                                       store.getAlign(), core_.mask());
    propagateMetadata(result, {&store});
    return;
  }
  Value* last =
      shapes_[value].is_uniform() ? values_.scalar(value) : core_.of_lane(value, core_.last_active());
  StoreInst* ours = builder_.CreateAlignedStore(last, values_.scalar(pointer), store.getAlign());
  ours->setAtomic(store.getOrdering(), store.getSyncScopeID());
  propagateMetadata(ours, {&store});
}

/// Each lane has its copy, one behind the other, unless the elements' copies are next to each other.
void memory_emission::emit(AllocaInst& original) {
  if (interleaved_element(original) != 0) {
    AllocaInst* ours = core_.variable(original.getAllocatedType(), original.getName());
    ours->setAlignment(original.getAlign());
    return values_.set(&original, ours);
  }
  auto* copies =
      ArrayType::get(builder_.getInt8Ty(), std::uint64_t(private_stride(original)) * request_.lanes);
  AllocaInst* ours = core_.variable(copies, original.getName());
  ours->setAlignment(original.getAlign());
  values_.set(&original, ours);
}

} // namespace falx::jit::simd
