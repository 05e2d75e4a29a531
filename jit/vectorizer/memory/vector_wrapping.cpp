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
// and the same for signed numbers that are allowed to wrap, and for stores.

#include "vectorizer/analysis/affine_form.hpp"
#include "vectorizer/analysis/lane_safety.hpp"
#include "vectorizer/emission/vector_emission.hpp"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/MDBuilder.h>

using namespace llvm;

namespace falx::jit::simd {

/// By how much \p address grows from lane to lane if \p extension does not wrap in its operand. Finds that
/// extension, of which there may be one.
static affine_form::distance stride_if_exact(const Value& address, const lane_shapes& shapes,
                                             const CastInst*& extension) {
  const auto is_progression = [&](const Value& value) { return shapes[&value].is_progression(); };
  const affine_form form = affine_form_of(address, shapes.layout(), {.is_leaf = is_progression});
  return form.sum([&](const Value& term) -> affine_form::distance {
    if (const lane_shape shape = shapes[&term]; shape.is_progression())
      return std::uint64_t(shape.stride);
    const auto* cast = dyn_cast<CastInst>(&term);
    if (cast == nullptr || !isa<SExtInst, ZExtInst>(cast) || (extension != nullptr && extension != cast))
      return std::nullopt;
    extension = cast;
    const lane_shape narrow = shapes[cast->getOperand(0)];
    return narrow.is_progression() && narrow.stride > 0 ? affine_form::distance(narrow.stride) : std::nullopt;
  });
}

/// The extension that lets the simple load or store \p access be scattered, where it would be of consecutive
/// elements if no lane wrapped; null if there is no such one.
static const CastInst* wrapping_extension(const Instruction& access, const lane_shapes& shapes) {
  const auto* load = dyn_cast<LoadInst>(&access);
  const auto* store = dyn_cast<StoreInst>(&access);
  if (load != nullptr ? !load->isSimple() : store == nullptr || !store->isSimple())
    return nullptr;
  const Value* pointer = getLoadStorePointerOperand(&access);
  const DataLayout& layout = access.getDataLayout();
  if (!shapes[pointer].is_varying() || !has_vector_layout(getLoadStoreType(&access), layout))
    return nullptr;
  const CastInst* extension = nullptr;
  const affine_form::distance stride = stride_if_exact(*pointer, shapes, extension);
  const std::uint64_t size = layout.getTypeStoreSize(getLoadStoreType(&access));
  return stride == size ? extension : nullptr;
}

bool vector_emission::emit_unless_wrapping(Instruction& access) {
  const CastInst* extension = wrapping_extension(access, shapes_);
  if (extension == nullptr)
    return false;
  const unsigned bits = extension->getSrcTy()->getScalarSizeInBits();
  const APInt most = isa<SExtInst>(extension) ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  const APInt distance(64, std::uint64_t(shapes_[extension->getOperand(0)].stride) * (request_.lanes - 1));
  if (distance.ugt(most.zext(64)))
    return false;

  Value* vector = isa<StoreInst>(access) ? values_.vector(access.getOperand(0)) : nullptr;
  Value* first = values_.scalar(extension->getOperand(0));
  // Without an active lane it may be anything.
  if (!has_active_lane_)
    first = builder_.CreateFreeze(first);
  Value* last = ConstantInt::get(first->getType(), most - distance.trunc(bits));
  Value* stays = isa<SExtInst>(extension) ? builder_.CreateICmpSLE(first, last, "no.lane.wraps")
                                          : builder_.CreateICmpULE(first, last, "no.lane.wraps");
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
