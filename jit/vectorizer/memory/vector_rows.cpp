// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector of 16 lanes holds two rows of a work-group of 8 by 8 work-items. Each row's addresses follow each
// other, if those of the vector do not. Before:
//   %from = mul i64 %y, %width                        ; %y: 0 eight times, 1 eight times; %width: uniform
//   %i = add i64 %from, %x                            ; %x: 0 to 7, 0 to 7
//   %at = getelementptr float, ptr %data, i64 %i
//   %value = load float, ptr %at
// After, with the numbers of the lanes 0 and 8:
//   %first = getelementptr float, ptr %data, (add i64 (mul i64 %y.0, %width), %x.0)
//   %value.0 = call <8 x float> @llvm.masked.load(ptr %first, <lanes 0 to 7 of the mask>, …)
//   %second = getelementptr float, ptr %data, (add i64 (mul i64 %y.8, %width), %x.8)
//   %value.8 = call <8 x float> @llvm.masked.load(ptr %second, <lanes 8 to 15 of the mask>, …)
//   %value = shufflevector %value.0, %value.8
// where the scalars carry no flags, as a row's first lane need not be active.

#include "vectorizer/analysis/affine_form.hpp"
#include "vectorizer/analysis/lane_safety.hpp"
#include "vectorizer/emission/vector_emission.hpp"

#include <llvm/Analysis/VectorUtils.h>

using namespace llvm;

namespace falx::jit::simd {

using distance = affine_form::distance;

static distance step_of(const lane_shape& shape, unsigned columns, unsigned lanes) {
  const auto from_lane = [&](unsigned lane) {
    return std::uint64_t(shape.offset_of(lane + 1)) - std::uint64_t(shape.offset_of(lane));
  };
  for (unsigned lane = 0; lane + 1 < lanes; ++lane)
    if ((lane + 1) % columns != 0 && from_lane(lane) != from_lane(0))
      return std::nullopt;
  return from_lane(0);
}

/// By how much \p value grows from lane to lane of a row, modulo 2^64, if that is a constant, whether lanes
/// are active or not.
static distance step_in_rows(const Value& value, const lane_shapes& shapes, unsigned columns,
                             unsigned lanes) {
  const auto is_scalar = [&](const Value& part) { return shapes[&part].is_scalar(); };
  const affine_form form = affine_form_of(value, shapes.layout(), {is_scalar});
  return form.sum([&](const Value& term) -> distance {
    if (is_scalar(term))
      return step_of(shapes[&term], columns, lanes);
    // What is the same in a row is so times what is.
    const auto* product = dyn_cast<BinaryOperator>(&term);
    const bool is_same =
        product != nullptr && &term != &value &&
        (product->getOpcode() == Instruction::Mul || product->getOpcode() == Instruction::Shl) &&
        all_of(product->operands(),
               [&](const Use& factor) { return step_in_rows(*factor, shapes, columns, lanes) == 0; });
    return is_same ? distance(0) : std::nullopt;
  });
}

bool vector_emission::emit_by_rows(Instruction& access) {
  const auto* load = dyn_cast<LoadInst>(&access);
  const auto* store = dyn_cast<StoreInst>(&access);
  if (request_.columns == 0 || (load != nullptr ? !load->isSimple() : store == nullptr || !store->isSimple()))
    return false;
  const Value& pointer = *getLoadStorePointerOperand(&access);
  Type* element = getLoadStoreType(&access);
  const DataLayout& layout = access.getDataLayout();
  const std::uint64_t size = layout.getTypeStoreSize(element);
  if (shapes_[&pointer].is_progression() || !has_vector_layout(element, layout) ||
      (size < 4 && !request_.computes_under_masks) ||
      step_in_rows(pointer, shapes_, request_.columns, request_.lanes) != size)
    return false;
  auto* row = FixedVectorType::get(element, request_.columns);
  Value* vector = store != nullptr ? values_.vector(store->getValueOperand()) : nullptr;
  SmallVector<Value*, 8> rows;
  for (unsigned lane = 0; lane < request_.lanes; lane += request_.columns) {
    const SmallVector<int, 16> lanes = createSequentialMask(lane, request_.columns, 0);
    Value *address = made_for_lane(pointer, lane), *mask = builder_.CreateShuffleVector(mask_, lanes);
    const Align alignment = getLoadStoreAlignment(&access);
    Instruction* part = nullptr;
    if (store != nullptr)
      part =
          builder_.CreateMaskedStore(builder_.CreateShuffleVector(vector, lanes), address, alignment, mask);
    else
      part = builder_.CreateMaskedLoad(row, address, alignment, mask, Constant::getNullValue(row));
    copy_access_metadata(access, *part);
    rows.push_back(part);
  }
  if (load != nullptr)
    values_.set(&access, concatenateVectors(builder_, rows));
  return true;
}

} // namespace falx::jit::simd
