// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to elements at constant distances, as vectors of memory and shuffles (shuffled_access.cpp has the
// plan). Before, for 4 lanes and the structure { float x, y, z }:
//   %x = load float, ptr %point
//   %z = load float, ptr (%point + 8)
// After:
//   %v.0 = load <4 x float>, ptr %point            ; x y z x
//   %v.1 = load <4 x float>, ptr (%point + 16)     ; y z x y
//   %v.2 = load <4 x float>, ptr (%point + 32)     ; z x y z
//   %x = shuffles of these, elements 0 3 6 9
//   %z = shuffles of these, elements 2 5 8 11
// Of several rows of a work-group, each for itself. Before, with rows of 8 in vectors of 16:
//   %from = mul i64 %y, %width                        ; %y: 0 eight times, 1 eight times; %width: uniform
//   %at = getelementptr float, ptr %data, (add i64 %from, %x)             ; %x: 0 to 7, 0 to 7
//   %value = load float, ptr %at
// After, with the numbers of the lanes 0 and 8, which carry no flags, as these lanes need not be active:
//   %first = getelementptr float, ptr %data, (add i64 (mul i64 %y.0, %width), %x.0)
//   %value.0 = call <8 x float> @llvm.masked.load(ptr %first, <lanes 0 to 7 of the mask>, …)
//   %second = getelementptr float, ptr %data, (add i64 (mul i64 %y.8, %width), %x.8)
//   %value.8 = call <8 x float> @llvm.masked.load(ptr %second, <lanes 8 to 15 of the mask>, …)
//   %value = shufflevector %value.0, %value.8
//
// Accesses are masked: what is not an active lane's, or between two of these, is neither read nor written.

#include "interleaved_variables.hpp"
#include "memory_emission.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVectorExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>

#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

/// A vector of consecutive elements at \p pointer is in an interleaved variable, so that inactive lanes may
/// touch theirs, too.
bool memory_emission::is_own_memory(const Value& pointer, Type& type) const {
  const DataLayout& layout = core_.function().getDataLayout();
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
  return core_.has_active_lane() && variable != nullptr && interleaved_element(*variable) != 0;
}

/// Lanes \p first to \p first + \p count of \p vector.
Value* memory_emission::lanes_of(Value* vector, unsigned first, unsigned count) {
  return count == request_.lanes
             ? vector
             : builder_.CreateShuffleVector(vector, createSequentialMask(first, count, 0));
}

/// Of each of the plan's vectors, for the row that begins with lane \p first.
SmallVector<Value*> memory_emission::masks_of(const shuffled_access& access, unsigned first) {
  const auto row = int(access.row);
  Value *mask = lanes_of(core_.mask(), first, access.row), *none = Constant::getNullValue(mask->getType());
  // A lane without a partner is a zero in either source that stands beside the mask.
  const auto zero = int(find(access.plan.partners, access_plan::NO_LANE) - access.plan.partners.begin());
  assert(zero < row && "the lane of the last element has no partner");
  const auto pick = [&](Value* others, ArrayRef<int> lanes) {
    const SmallVector<int> from =
        map_to_vector(lanes, [&](int lane) { return lane == access_plan::NO_LANE ? row + zero : lane; });
    const bool is_whole = ShuffleVectorInst::isIdentityMask(from, row) && int(lanes.size()) == row;
    return is_whole ? mask : builder_.CreateShuffleVector(mask, others, from);
  };
  const bool has_partners =
      any_of(access.plan.partners, [](int partner) { return partner != access_plan::NO_LANE; });
  Value* both = has_partners ? builder_.CreateAnd(mask, pick(none, access.plan.partners)) : none;
  SmallVector<Value*> result;
  for (const access_plan::memory_vector& vector : access.plan.memory) {
    Value* any = nullptr;
    for (const ArrayRef<int> lanes : vector.lanes) {
      Value* some = pick(both, lanes);
      any = any == nullptr ? some : builder_.CreateOr(any, some);
    }
    result.push_back(any);
  }
  return result;
}

void memory_emission::emit(const shuffled_access& access) {
  const unsigned row = access.row, length = access.plan.length;
  Instruction& leader = *access.leader().access;
  const Value& pointer = *getLoadStorePointerOperand(&leader);
  auto* type = FixedVectorType::get(access.type(), length);
  SmallVector<Value*> originals;
  for (const shuffled_access::member& each : access.members)
    originals.push_back(each.access);
  // Lane 0 need not be active, so an alignment of lanes' addresses is not always its address's.
  Align own = getLoadStoreAlignment(&leader);
  for (const unsigned start : access.starts)
    own = commonAlignment(own,
                          access.element * (start > access.starts.front() ? start - access.starts.front()
                                                                          : access.starts.front() - start));
  const bool is_own =
      access.is_consecutive() && row == request_.lanes && is_own_memory(pointer, *getLoadStoreType(&leader));
  SmallVector<SmallVector<Value*, 8>, 4> parts(access.members.size());
  for (unsigned first = 0; first < request_.lanes; first += row) {
    Value* place = core_.made_for_lane(pointer, first);
    const auto address_of = [&](unsigned element) -> Value* {
      const std::int64_t distance =
          std::int64_t(element) - std::int64_t(access.leader().at + access.starts.front());
      return distance == 0 ? place
                           : builder_.CreateGEP(builder_.getInt8Ty(), place,
                                                builder_.getInt64(std::uint64_t(distance) * access.element));
    };
    const auto alignment_of = [&](unsigned element) {
      const unsigned at = access.leader().at + access.starts.front();
      return commonAlignment(own, access.element * (element > at ? element - at : at - element));
    };
    const SmallVector<Value*> masks = masks_of(access, first);
    if (!access.is_store) {
      SmallVector<Value*> memory;
      for (const auto& [vector, mask] : zip(access.plan.memory, masks)) {
        Value* from = address_of(vector.first);
        const Align alignment = alignment_of(vector.first);
        Instruction* loaded =
            is_own ? static_cast<Instruction*>(builder_.CreateAlignedLoad(type, from, alignment))
                   : builder_.CreateMaskedLoad(type, from, alignment, mask, Constant::getNullValue(type));
        memory.push_back(propagateMetadata(loaded, originals));
      }
      for (const auto& [index, part] : enumerate(access.plan.shuffles.emit(builder_, memory)))
        parts[index / (row / length)].push_back(part);
      continue;
    }
    SmallVector<Value*> inputs;
    for (const shuffled_access::member& each : access.members) {
      Value* value = values_.vector(cast<StoreInst>(each.access)->getValueOperand());
      value = builder_.CreateBitOrPointerCast(value, widened(type->getElementType(), request_.lanes));
      for (unsigned lane = first; lane < first + row; lane += length)
        inputs.push_back(lanes_of(value, lane, length));
    }
    const SmallVector<Value*> outputs = access.plan.shuffles.emit(builder_, inputs);
    for (const auto& [vector, mask, value] : zip(access.plan.memory, masks, outputs)) {
      Value* to = address_of(vector.first);
      const Align alignment = alignment_of(vector.first);
      Instruction* stored = nullptr;
      if (is_own) {
        // Nothing else writes here: so inactive lanes may write what they have read, and variables may become
        // values.
        Value* old = builder_.CreateAlignedLoad(type, to, alignment);
        stored = builder_.CreateAlignedStore(builder_.CreateSelect(mask, value, old), to, alignment);
      } else {
        stored = builder_.CreateMaskedStore(value, to, alignment, mask);
      }
      propagateMetadata(stored, originals);
    }
  }
  for (const auto& [each, vectors] : zip(access.members, parts))
    if (!access.is_store) {
      Value* all = builder_.CreateBitOrPointerCast(concatenateVectors(builder_, vectors),
                                                   widened(each.access->getType(), request_.lanes));
      if (!all->hasName())
        all->setName(each.access->getName());
      values_.set(each.access, all);
    }
}

} // namespace falx::jit::simd
