// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to elements near each other, by addresses that are a base and a constant per lane: vectors of
// consecutive memory and shuffles. Before, for 8 lanes, where lanes access the elements 0 1 2 3 8 9 10 11
// and, 4 behind these, 4 5 6 7 12 13 14 15:
//   %a = load float, ptr %near
//   %b = load float, ptr (%near + 16)
// After:
//   %v.0 = load <8 x float>, ptr %near
//   %v.1 = load <8 x float>, ptr (%near + 32)
//   %a = shufflevector %v.0, %v.1, 0 1 2 3 8 9 10 11
//   %b = shufflevector %v.0, %v.1, 4 5 6 7 12 13 14 15
//
// Accesses are masked: what is not an active lane's is neither read nor written.

#include "access_groups.hpp"
#include "vectorizer/emission/vector_emission.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>

#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

/// An element of one of several vectors of equal length; of none if \p vector is negative.
struct vector_element {
  int vector = -1;
  int at = 0;
};

/// The elements \p wanted of \p sources. Those of none are poison.
static Value* pick(IRBuilder<>& builder, ArrayRef<Value*> sources, ArrayRef<vector_element> wanted) {
  const int length = int(cast<FixedVectorType>(sources.front()->getType())->getNumElements());
  SmallVector<int, 8> used;
  for (const vector_element& each : wanted)
    if (each.vector >= 0 && !is_contained(used, each.vector))
      used.push_back(each.vector);
  sort(used);
  if (used.empty())
    return PoisonValue::get(
        FixedVectorType::get(sources.front()->getType()->getScalarType(), unsigned(wanted.size())));
  if (used.size() > 2 && int(wanted.size()) != length) {
    SmallVector<int, 64> from;
    for (const vector_element& each : wanted)
      from.push_back(each.vector < 0 ? -1 : each.vector * length + each.at);
    return builder.CreateShuffleVector(concatenateVectors(builder, sources), from);
  }
  Value* result = sources[unsigned(used.front())];
  // One source after the other; what was picked before stays where it is.
  for (unsigned next = 1; next == 1 || next < used.size(); ++next) {
    const bool is_one = used.size() == 1;
    SmallVector<int, 64> from;
    for (const auto& [place, each] : enumerate(wanted)) {
      const auto source = each.vector < 0 ? used.end() : find(used, each.vector);
      const auto number = unsigned(source - used.begin());
      if (source == used.end() || number > next)
        from.push_back(-1);
      else if (number == next)
        from.push_back(length + each.at);
      else
        from.push_back(next == 1 ? each.at : int(place));
    }
    Value* other = is_one ? PoisonValue::get(result->getType()) : sources[unsigned(used[next])];
    result = builder.CreateShuffleVector(result, other, from);
  }
  return result;
}

/// Masks of the memory's vectors, each as long as \p chunk, by position: the lanes that access an element.
SmallVector<Value*, 8> vector_emission::masks_of_elements(const access_group& group, unsigned chunk) {
  const unsigned vectors = unsigned(divideCeil(group.fields, chunk));
  assert(group.starts.size() == request_.lanes && "each lane's elements begin somewhere");
  SmallVector<SmallVector<unsigned, 2>, 0> lanes_of(std::size_t(vectors) * chunk);
  for (const access_group::member& each : group.members)
    for (unsigned lane = 0; lane < request_.lanes; ++lane)
      lanes_of[group.starts[lane] + each.field].push_back(lane);
  SmallVector<Value*, 8> result;
  for (unsigned first = 0; first < lanes_of.size(); first += chunk) {
    const auto elements = ArrayRef(lanes_of).slice(first, chunk);
    std::size_t most = 1;
    for (const auto& lanes : elements)
      most = std::max<std::size_t>(most, lanes.size());
    Value* all = nullptr;
    for (unsigned number = 0; number < most; ++number) {
      // Zeros come from an operation of their own: see masks_of_members.
      SmallVector<int, 64> from;
      SmallVector<Constant*, 64> is_lane;
      for (const auto& lanes : elements) {
        from.push_back(int(number < lanes.size() ? lanes[number] : 0));
        is_lane.push_back(builder_.getInt1(number < lanes.size()));
      }
      Value* some = builder_.CreateShuffleVector(mask_, from);
      if (is_contained(is_lane, builder_.getFalse()))
        some = builder_.CreateAnd(some, ConstantVector::get(is_lane));
      all = all == nullptr ? some : builder_.CreateOr(all, some);
    }
    result.push_back(all);
  }
  return result;
}

void vector_emission::emit_tabulated_loads(const access_group& group) {
  const unsigned chunk = chunk_of(group);
  auto* type = FixedVectorType::get(type_of_members(group, builder_.getContext()), chunk);
  SmallVector<Value*> accesses;
  for (const access_group::member& each : group.members)
    accesses.push_back(each.access);
  SmallVector<Value*, 8> memory;
  for (const auto& [piece, mask] : enumerate(masks_of_elements(group, chunk))) {
    const std::uint64_t bytes = piece * chunk * group.element;
    memory.push_back(propagateMetadata(builder_.CreateMaskedLoad(type, address_of(group, bytes),
                                                                 alignment_of(group, bytes), mask,
                                                                 Constant::getNullValue(type)),
                                       accesses));
  }
  for (const access_group::member& each : group.members) {
    SmallVector<vector_element, 64> wanted;
    for (const unsigned start : group.starts)
      wanted.push_back({int((start + each.field) / chunk), int((start + each.field) % chunk)});
    Value* all = pick(builder_, memory, wanted);
    Type* member = widened(each.access->getType(), request_.lanes);
    values_.set(each.access, builder_.CreateBitOrPointerCast(all, member, each.access->getName()));
  }
}

void vector_emission::emit_tabulated_stores(const access_group& group) {
  const unsigned chunk = chunk_of(group);
  Type* element = type_of_members(group, builder_.getContext());
  SmallVector<Value*> accesses;
  SmallVector<Value*, 8> members;
  const SmallVector<Value*, 8> masks = masks_of_elements(group, chunk);
  SmallVector<vector_element, 0> wanted(masks.size() * chunk);
  for (const access_group::member& each : group.members) {
    for (const auto& [lane, start] : enumerate(group.starts)) {
      assert(wanted[start + each.field].vector < 0 && "two lanes would write one element");
      wanted[start + each.field] = {int(members.size()), int(lane)};
    }
    accesses.push_back(each.access);
    members.push_back(builder_.CreateBitOrPointerCast(
        values_.vector(cast<StoreInst>(each.access)->getValueOperand()), widened(element, request_.lanes)));
  }
  for (const auto& [piece, mask] : enumerate(masks)) {
    const std::uint64_t bytes = piece * chunk * group.element;
    Value* vector = pick(builder_, members, ArrayRef(wanted).slice(piece * chunk, chunk));
    propagateMetadata(
        builder_.CreateMaskedStore(vector, address_of(group, bytes), alignment_of(group, bytes), mask),
        accesses);
  }
}

} // namespace falx::jit::simd
