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

#include "vectorizer/analysis/lane_safety.hpp"
#include "vectorizer/emission/vector_emission.hpp"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>

using namespace llvm;

namespace falx::jit::simd {

/// Operands that are looked through.
constexpr unsigned DEEPEST = 8;

using distance = std::optional<std::uint64_t>;

static distance step_of(const lane_shape& shape, unsigned columns, unsigned lanes) {
  const auto from_lane = [&](unsigned lane) {
    return std::uint64_t(shape.offset_of(lane + 1)) - std::uint64_t(shape.offset_of(lane));
  };
  for (unsigned lane = 0; lane + 1 < lanes; ++lane)
    if ((lane + 1) % columns != 0 && from_lane(lane) != from_lane(0))
      return std::nullopt;
  return from_lane(0);
}

/// By how much \p value, of 64 bits, grows from lane to lane of a row, modulo 2^64, if that is a constant,
/// whether lanes are active or not.
static distance step_in_rows(const Value& value, const lane_shapes& shapes, unsigned columns, unsigned lanes,
                             unsigned depth = 0) {
  if (const lane_shape shape = shapes[&value]; shape.is_scalar())
    return step_of(shape, columns, lanes);
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (instruction == nullptr || depth == DEEPEST)
    return std::nullopt;
  const auto step = [&](const Value& operand) {
    return step_in_rows(operand, shapes, columns, lanes, depth + 1);
  };
  if (const auto* address = dyn_cast<GetElementPtrInst>(instruction)) {
    distance sum = step(*address->getPointerOperand());
    for (auto index = gep_type_begin(address); sum && index != gep_type_end(address); ++index) {
      if (shapes[index.getOperand()].is_uniform())
        continue;
      const distance of_index =
          index.getOperand()->getType()->isIntegerTy(64) ? step(*index.getOperand()) : std::nullopt;
      const std::uint64_t size = index.getSequentialElementStride(address->getDataLayout()).getFixedValue();
      sum = of_index ? distance(*sum + *of_index * size) : std::nullopt;
    }
    return sum;
  }
  if (!instruction->getType()->isIntegerTy(64) || !isa<BinaryOperator>(instruction))
    return std::nullopt;
  const distance left = step(*instruction->getOperand(0)), right = step(*instruction->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  const auto factor = [&](unsigned operand) -> distance {
    const auto* constant = dyn_cast<ConstantInt>(instruction->getOperand(operand));
    return constant != nullptr ? distance(constant->getZExtValue()) : std::nullopt;
  };
  switch (instruction->getOpcode()) {
  case Instruction::Add:
    return *left + *right;
  case Instruction::Sub:
    return *left - *right;
  case Instruction::Mul:
    if (*left == 0 && *right == 0)
      return 0;
    return factor(1) ? distance(*left * *factor(1)) : std::nullopt;
  case Instruction::Shl:
    if (*left == 0 && *right == 0)
      return 0;
    return factor(1) && *factor(1) < 64 ? distance(*left << *factor(1)) : std::nullopt;
  default:
    return std::nullopt;
  }
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
