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
// Of lanes that lie anywhere, for 4 lanes and the structure { float x, y, z, w }:
//   %x = load float, ptr %point                                           ; %point varies
//   … and %y, %z, %w behind it
// After:
//   %v.0 = load <4 x float>, ptr (%point of lane 0)                       ; x y z w of lane 0
//   … and three more, each from its lane's address
//   %x = shuffles of these, the first elements of each
//
// Accesses are masked: what is not an active lane's, or between two of these, is neither read nor written.

#include "interleaved_variables.hpp"
#include "memory_emission.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVectorExtras.h>
#include <llvm/Analysis/Loads.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>

#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

/// A vector of consecutive elements at \p pointer is in an interleaved variable, so that inactive lanes may
/// touch theirs, too.
bool memory_emission::is_own_memory(const Value& pointer, Type& type) const {
  const auto* variable = dyn_cast<AllocaInst>(getUnderlyingObject(&pointer));
  // Where an active lane is within the variable, all are.
  return variable != nullptr && interleaved_element(*variable) != 0 &&
         (core_.has_active_lane() ||
          isDereferenceablePointer(&pointer, widened(&type, request_.lanes), variable->getDataLayout()));
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

/// A number for a single lane, computed as numbers are.
static bool is_sum(const Instruction& step) {
  return isa<GetElementPtrInst, CastInst>(step) ||
         (isa<BinaryOperator>(step) && step.getType()->isIntegerTy() && !step.isIntDivRem());
}

/// Of each of the plan's vectors, for the row that begins with lane \p first.
SmallVector<memory_emission::place> memory_emission::places_of(const shuffled_access& access,
                                                               unsigned first) {
  const std::int64_t here = access.leader().at - access.lowest();
  const Value& pointer = *getLoadStorePointerOperand(access.leader().access);
  // The first lane need not be active, so an alignment of lanes' addresses is not always its address's.
  Align alignment = getLoadStoreAlignment(access.leader().access);
  const auto at_distance = [&](Align own, std::int64_t elements) {
    return commonAlignment(own, access.element * std::uint64_t(std::abs(elements)));
  };
  if (access.apart == 0)
    for (const std::int64_t start : access.starts)
      alignment = at_distance(alignment, start);
  const auto lane_of = [&](const access_plan::memory_vector& vector) {
    return access.apart == 0 ? 0 : vector.first / unsigned(access.apart);
  };
  // By lane that has an address of its own.
  SmallDenseMap<unsigned, Value*, 8> addresses;
  for (const access_plan::memory_vector& vector : access.plan.memory)
    if (const auto [address, is_new] = addresses.try_emplace(lane_of(vector)); is_new)
      address->second =
          core_.made_for_lane(pointer, first + address->first, access.apart == 0 ? nullptr : is_sum);
  SmallVector<place> result;
  for (const auto& [vector, mask] : zip(access.plan.memory, masks_of(access, first))) {
    const unsigned lane = lane_of(vector);
    Value* address = addresses.lookup(lane);
    const std::int64_t distance = std::int64_t(vector.first) - access.apart * lane - here;
    Value* bytes = builder_.getInt64(std::uint64_t(distance) * access.element);
    result.push_back({distance == 0 ? address : builder_.CreateGEP(builder_.getInt8Ty(), address, bytes),
                      at_distance(alignment, distance), mask});
  }
  return result;
}

void memory_emission::emit(const shuffled_access& access) {
  Instruction& leader = *access.leader().access;
  is_own_ = access.is_consecutive() && access.row == request_.lanes &&
            is_own_memory(*getLoadStorePointerOperand(&leader), *getLoadStoreType(&leader));
  if (access.is_store)
    emit_stores(access);
  else
    emit_loads(access);
}

static SmallVector<Value*> originals_of(const shuffled_access& access) {
  return map_to_vector(access.members, [](const auto& each) -> Value* { return each.access; });
}

void memory_emission::emit_loads(const shuffled_access& access) {
  const access_plan& plan = access.plan;
  auto* type = FixedVectorType::get(access.type(), plan.length);
  SmallVector<SmallVector<Value*, 8>, 4> parts(access.members.size());
  for (unsigned first = 0; first < request_.lanes; first += access.row * plan.together) {
    SmallVector<SmallVector<Value*, 4>, 8> rows(plan.memory.size());
    for (unsigned row = 0; row < plan.together; ++row)
      for (const auto& [index, from] : enumerate(places_of(access, first + row * access.row))) {
        Instruction* loaded = nullptr;
        if (is_own_)
          loaded = builder_.CreateAlignedLoad(type, from.address, from.alignment);
        else
          loaded = builder_.CreateMaskedLoad(type, from.address, from.alignment, from.mask,
                                             Constant::getNullValue(type));
        rows[index].push_back(propagateMetadata(loaded, originals_of(access)));
      }
    const SmallVector<Value*> memory =
        map_to_vector(rows, [&](ArrayRef<Value*> each) { return concatenateVectors(builder_, each); });
    for (const auto& [index, part] : enumerate(plan.shuffles.emit(builder_, memory, plan.together)))
      parts[index / (access.row / plan.length)].push_back(part);
  }
  for (const auto& [each, vectors] : zip(access.members, parts)) {
    Value* all = builder_.CreateBitOrPointerCast(concatenateVectors(builder_, vectors),
                                                 widened(each.access->getType(), request_.lanes));
    if (!all->hasName())
      all->setName(each.access->getName());
    values_.set(each.access, all);
  }
}

void memory_emission::emit_stores(const shuffled_access& access) {
  const unsigned length = access.plan.length;
  for (unsigned first = 0; first < request_.lanes; first += access.row) {
    SmallVector<Value*> inputs;
    for (const shuffled_access::member& each : access.members) {
      Value* value = values_.vector(cast<StoreInst>(each.access)->getValueOperand());
      value = builder_.CreateBitOrPointerCast(value, widened(access.type(), request_.lanes));
      for (unsigned lane = first; lane < first + access.row; lane += length)
        inputs.push_back(lanes_of(value, lane, length));
    }
    const SmallVector<Value*> vectors = access.plan.shuffles.emit(builder_, inputs);
    for (const auto& [to, vector] : zip(places_of(access, first), vectors)) {
      Instruction* stored = nullptr;
      if (is_own_) {
        // Nothing else writes here: so inactive lanes may write what they have read, and variables may become
        // values.
        Value* old = builder_.CreateAlignedLoad(vector->getType(), to.address, to.alignment);
        stored = builder_.CreateAlignedStore(builder_.CreateSelect(to.mask, vector, old), to.address,
                                             to.alignment);
      } else {
        stored = builder_.CreateMaskedStore(vector, to.address, to.alignment, to.mask);
      }
      propagateMetadata(stored, originals_of(access));
    }
  }
}

} // namespace falx::jit::simd
