// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a lane's load becomes, by the shape of its address:
//   uniform                     a scalar load
//   stride = size               a vector load, masked
//   stride = 2 to 4 times size  a masked load of the vectors that the elements lie in, then a shuffle; the
//                               elements between are masked out, so nothing is read that the kernel does not
//   any other                   a gather
// and in the same way for stores, where several lanes that store to one address let the last one win.

#include "lane_safety.hpp"
#include "vector_emission.hpp"

using namespace llvm;

namespace falx::jit::simd {

static constexpr unsigned KEPT_METADATA[] = {LLVMContext::MD_tbaa, LLVMContext::MD_invariant_load,
                                             LLVMContext::MD_alias_scope, LLVMContext::MD_noalias};

static void copy_metadata(const Instruction& from, Instruction& to) {
  to.copyMetadata(from, KEPT_METADATA);
}

/// Lane i's bit of \p mask for element i * \p elements, nothing between.
static Value* spread(IRBuilder<>& builder, Value* mask, unsigned lanes, std::int64_t elements) {
  const unsigned count = lanes * unsigned(elements);
  SmallVector<int, 256> from(count, int(lanes));
  for (unsigned lane = 0; lane < lanes; ++lane)
    from[lane * unsigned(elements)] = int(lane);
  return builder.CreateShuffleVector(mask, Constant::getNullValue(mask->getType()), from);
}

static SmallVector<int, 64> every(unsigned lanes, std::int64_t elements) {
  SmallVector<int, 64> result;
  for (unsigned lane = 0; lane < lanes; ++lane)
    result.push_back(int(lane) * int(elements));
  return result;
}

Value* vector_emission::emit_strided_load(LoadInst& load, std::int64_t elements) {
  auto* wide = FixedVectorType::get(load.getType(), request_.lanes * unsigned(elements));
  CallInst* all = builder_.CreateMaskedLoad(wide, values_.scalar(load.getPointerOperand()), load.getAlign(),
                                            spread(builder_, mask_, request_.lanes, elements),
                                            Constant::getNullValue(wide));
  copy_metadata(load, *all);
  return builder_.CreateShuffleVector(all, every(request_.lanes, elements), load.getName());
}

Value* vector_emission::emit_load(LoadInst& load) {
  const lane_shape address = shapes_[load.getPointerOperand()];
  Type* type = widened(load.getType(), request_.lanes);
  const std::uint64_t size = load.getDataLayout().getTypeStoreSize(load.getType());
  const std::int64_t elements = distance_in_elements(address, size);
  if (elements > 1 && size >= 4)
    return emit_strided_load(load, elements);
  CallInst* result =
      elements == 1
          ? builder_.CreateMaskedLoad(type, values_.scalar(load.getPointerOperand()), load.getAlign(), mask_,
                                      Constant::getNullValue(type), load.getName())
          : builder_.CreateMaskedGather(type, values_.vector(load.getPointerOperand()), load.getAlign(),
                                        mask_, Constant::getNullValue(type), load.getName());
  copy_metadata(load, *result);
  return result;
}

void vector_emission::emit_store(StoreInst& store) {
  Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  const lane_shape address = shapes_[pointer];
  if (address.is_uniform()) {
    Value* last = shapes_[value].is_uniform() ? values_.scalar(value) : of_lane(value, last_active());
    copy_metadata(store, *builder_.CreateAlignedStore(last, values_.scalar(pointer), store.getAlign()));
    return;
  }
  const std::uint64_t size = store.getDataLayout().getTypeStoreSize(value->getType());
  const std::int64_t elements = distance_in_elements(address, size);
  if (elements == 0) {
    copy_metadata(store, *builder_.CreateMaskedScatter(values_.vector(value), values_.vector(pointer),
                                                       store.getAlign(), mask_));
    return;
  }
  Value *vector = values_.vector(value), *mask = mask_;
  if (elements > 1) {
    SmallVector<int, 256> places(request_.lanes * unsigned(elements), -1);
    for (unsigned lane = 0; lane < request_.lanes; ++lane)
      places[lane * unsigned(elements)] = int(lane);
    vector = builder_.CreateShuffleVector(vector, places);
    mask = spread(builder_, mask, request_.lanes, elements);
  }
  copy_metadata(store, *builder_.CreateMaskedStore(vector, values_.scalar(pointer), store.getAlign(), mask));
}

/// Each lane has its copy, one behind the other.
void vector_emission::emit_private_variable(AllocaInst& original) {
  auto* copies =
      ArrayType::get(builder_.getInt8Ty(), std::uint64_t(private_stride(original)) * request_.lanes);
  AllocaInst* ours = variable(copies, original.getName());
  ours->setAlignment(original.getAlign());
  values_.set(&original, ours);
}

} // namespace falx::jit::simd
