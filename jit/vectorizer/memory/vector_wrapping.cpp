// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Consecutive unsigned numbers of 32 bits that start anywhere may wrap within a vector, as in
//   for (unsigned i = start + lane; i < end; i += 16) sum += data[i];
// so addresses follow each other if none does. Before:
//   %wide = zext i32 %i to i64                        ; %i: strided by 1, not known to be exact
//   %at = getelementptr float, ptr %data, i64 %wide
//   %x = load float, ptr %at
// After, with lane 0's number, whether lane 0 is active or not:
//   %no.lane.wraps = icmp ule i32 %i, (2^32 - 1 - 15)
//   br i1 %no.lane.wraps, label %consecutive, label %scattered         ; the second one hardly ever
// consecutive:
//   %first = getelementptr float, ptr %data, (zext i32 %i to i64)
//   %x.consecutive = call <16 x float> @llvm.masked.load(ptr %first, <16 x i1> %mask, …)
// scattered:
//   %x.scattered = call <16 x float> @llvm.masked.gather(…)
// and the same for signed numbers that are allowed to wrap, and for stores. Numbers that wrap at a power of
// two that nobody knows before, as in rings,
//   sum += ring[(first + lane) & mask];
// follow each other if %mask + 1 is one and lane 0's number modulo that is at most %mask - 15.

#include "vectorizer/analysis/affine_form.hpp"
#include "vectorizer/analysis/lane_safety.hpp"
#include "vectorizer/emission/vector_emission.hpp"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/MDBuilder.h>

using namespace llvm;

namespace falx::jit::simd {

namespace {

/// Numbers that are consecutive, and what makes of them others that are so unless they wrap: extensions, and
/// masks that all lanes share. The last one comes first.
struct wrapping_number {
  const Value* consecutive = nullptr;
  SmallVector<const Instruction*, 2> steps;
};

} // namespace

/// The operand of \p step that differs from lane to lane, and the other one if it has two, which does not;
/// null if \p step is nothing of the kind.
static std::pair<const Value*, const Value*> operands_of(const Instruction& step, const lane_shapes& shapes) {
  if (isa<SExtInst, ZExtInst>(step))
    return {step.getOperand(0), nullptr};
  if (step.getOpcode() != Instruction::And)
    return {nullptr, nullptr};
  const Value *left = step.getOperand(0), *right = step.getOperand(1);
  if (shapes[left].is_uniform())
    std::swap(left, right);
  return shapes[right].is_uniform() ? std::pair(left, right) : std::pair<const Value*, const Value*>();
}

/// Empty if \p value is none.
static wrapping_number wrapping_number_of(const Value& value, const lane_shapes& shapes) {
  constexpr unsigned MOST_STEPS = 2;
  wrapping_number result;
  result.consecutive = &value;
  while (!shapes[result.consecutive].is_progression()) {
    const auto* step = dyn_cast<Instruction>(result.consecutive);
    const Value* varying = step != nullptr ? operands_of(*step, shapes).first : nullptr;
    if (varying == nullptr || result.steps.size() == MOST_STEPS)
      return {};
    result.steps.push_back(step);
    result.consecutive = varying;
  }
  return shapes[result.consecutive].stride > 0 ? result : wrapping_number();
}

/// By how much \p address grows from lane to lane if \p number, of which there may be one in it, does not
/// wrap.
static affine_form::distance stride_if_exact(const Value& address, const lane_shapes& shapes,
                                             wrapping_number& number) {
  const auto is_progression = [&](const Value& value) { return shapes[&value].is_progression(); };
  const affine_form form = affine_form_of(address, shapes.layout(), {.is_leaf = is_progression});
  return form.sum([&](const Value& term) -> affine_form::distance {
    if (const lane_shape shape = shapes[&term]; shape.is_progression())
      return std::uint64_t(shape.stride);
    if (!number.steps.empty() && number.steps.front() != &term)
      return std::nullopt;
    number = wrapping_number_of(term, shapes);
    return number.steps.empty() ? affine_form::distance()
                                : affine_form::distance(shapes[number.consecutive].stride);
  });
}

/// The number that lets the simple load or store \p access be scattered, where it would be of consecutive
/// elements if no lane's wrapped; empty if there is no such one.
static wrapping_number wrapping_number_of_access(const Instruction& access, const lane_shapes& shapes) {
  const auto* load = dyn_cast<LoadInst>(&access);
  const auto* store = dyn_cast<StoreInst>(&access);
  if (load != nullptr ? !load->isSimple() : store == nullptr || !store->isSimple())
    return {};
  const Value* pointer = getLoadStorePointerOperand(&access);
  const DataLayout& layout = access.getDataLayout();
  if (!shapes[pointer].is_varying() || !has_vector_layout(getLoadStoreType(&access), layout))
    return {};
  wrapping_number number;
  const affine_form::distance stride = stride_if_exact(*pointer, shapes, number);
  const std::uint64_t size = layout.getTypeStoreSize(getLoadStoreType(&access));
  return stride == size ? number : wrapping_number();
}

/// Whether the numbers of all lanes, of which the last one is \p distance from the first, are as far apart
/// behind \p steps, the last of which comes first. Null if that cannot be.
Value* vector_emission::no_lane_wraps(ArrayRef<const Instruction*> steps, Value* first,
                                      std::uint64_t distance) {
  Value* result = nullptr;
  for (const Instruction* step : reverse(steps)) {
    const unsigned bits = first->getType()->getScalarSizeInBits();
    const bool is_signed = isa<SExtInst>(step);
    const APInt most = is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
    if (most.ult(distance))
      return nullptr;
    Constant* far = ConstantInt::get(first->getType(), distance);
    Value* stays = nullptr;
    if (const Value* other = operands_of(*step, shapes_).second) {
      Value* mask = values_.scalar(other);
      if (!has_active_lane_)
        mask = builder_.CreateFreeze(mask);
      first = builder_.CreateAnd(first, mask);
      Value* next = builder_.CreateAdd(mask, ConstantInt::get(mask->getType(), 1));
      Value* is_power = builder_.CreateIsNull(builder_.CreateAnd(mask, next));
      Value* is_wide = builder_.CreateICmpUGE(mask, far);
      stays = builder_.CreateAnd(is_power, is_wide);
      stays = builder_.CreateAnd(stays, builder_.CreateICmpULE(first, builder_.CreateSub(mask, far)));
    } else {
      stays = builder_.CreateICmp(is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, first,
                                  ConstantInt::get(first->getType(), most - APInt(bits, distance)),
                                  "no.lane.wraps");
      if (step != steps.front())
        first =
            builder_.CreateCast(cast<CastInst>(step)->getOpcode(), first, step->getType()->getScalarType());
    }
    result = result != nullptr ? builder_.CreateAnd(result, stays) : stays;
  }
  return result;
}

bool vector_emission::emit_unless_wrapping(Instruction& access) {
  const wrapping_number number = wrapping_number_of_access(access, shapes_);
  if (number.steps.empty())
    return false;
  Value* vector = isa<StoreInst>(access) ? values_.vector(access.getOperand(0)) : nullptr;
  Value* first = values_.scalar(number.consecutive);
  // Without an active lane it may be anything.
  if (!has_active_lane_)
    first = builder_.CreateFreeze(first);
  Value* stays = no_lane_wraps(number.steps, first,
                               std::uint64_t(shapes_[number.consecutive].stride) * (request_.lanes - 1));
  if (stays == nullptr)
    return false;
  const auto consecutive = [&]() -> SmallVector<Value*, 2> {
    Value* address = made_for_lane(*getLoadStorePointerOperand(&access), 0);
    const Align alignment = getLoadStoreAlignment(&access);
    if (vector != nullptr) {
      propagateMetadata(builder_.CreateMaskedStore(vector, address, alignment, mask_), {&access});
      return {};
    }
    Type* type = widened(access.getType(), request_.lanes);
    Instruction* loaded = builder_.CreateMaskedLoad(type, address, alignment, mask_,
                                                    Constant::getNullValue(type), access.getName());
    return {propagateMetadata(loaded, {&access})};
  };
  const auto scattered = [&]() -> SmallVector<Value*, 2> {
    emit_alone(access);
    return vector == nullptr ? SmallVector<Value*, 2>{values_.vector(&access)} : SmallVector<Value*, 2>();
  };
  const SmallVector<Value*, 2> loaded =
      either(stays, MDBuilder(builder_.getContext()).createLikelyBranchWeights(),
             {"consecutive", consecutive}, {"scattered", scattered}, access.getName());
  if (vector == nullptr)
    values_.set(&access, loaded.front());
  return true;
}

} // namespace falx::jit::simd
