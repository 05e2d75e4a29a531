// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to the members of one structure per lane: vectors of consecutive memory and shuffles. Before, for
// 4 lanes and the structure { float x, y, z }:
//   %x = load float, ptr %point
//   %z = load float, ptr (%point + 8)
// After:
//   %v.0 = load <4 x float>, ptr %point            ; x y z x
//   %v.1 = load <4 x float>, ptr (%point + 16)     ; y z x y
//   %v.2 = load <4 x float>, ptr (%point + 32)     ; z x y z
//   %x = shuffles of these, elements 0 3 6 9
//   %z = shuffles of these, elements 2 5 8 11
//
// All loads are masked: nothing behind the last lane's last member is read. What lies between members is,
// where both its neighbours are: it is in memory that can be read. Stores write members only.
//
// Structures with an even number of elements are halved: the elements at even positions are structures of
// half the size, as are those at odd ones. So four members of four take 8 shuffles rather than 12.

#include "access_groups.hpp"
#include "vectorizer/emission/vector_emission.hpp"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>

#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

/// The members' vectors out of the memory's, as many as there are.
static SmallVector<Value*, 8> deinterleave(IRBuilder<>& builder, ArrayRef<Value*> memory) {
  const unsigned count = unsigned(memory.size());
  if (count == 1)
    return {memory.front()};
  const unsigned lanes = cast<FixedVectorType>(memory.front()->getType())->getNumElements();
  SmallVector<Value*, 8> result;
  if (count % 2 == 0) {
    SmallVector<Value*, 4> halves[2];
    for (unsigned pair = 0; pair < count; pair += 2)
      for (unsigned odd = 0; odd < 2; ++odd)
        halves[odd].push_back(
            builder.CreateShuffleVector(memory[pair], memory[pair + 1], createStrideMask(odd, 2, lanes)));
    const SmallVector<Value*, 8> even = deinterleave(builder, halves[0]),
                                 odd = deinterleave(builder, halves[1]);
    for (unsigned field = 0; field < count; ++field)
      result.push_back(field % 2 == 0 ? even[field / 2] : odd[field / 2]);
    return result;
  }
  for (unsigned field = 0; field < count; ++field) {
    // What was taken from the vectors before stays where it is.
    Value* member = memory.front();
    for (unsigned piece = 1; piece < count; ++piece) {
      SmallVector<int, 64> from;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const unsigned element = lane * count + field, source = element / lanes;
        const unsigned place = element % lanes;
        if (source == piece)
          from.push_back(int(lanes + place));
        else if (source < piece)
          from.push_back(int(piece == 1 ? place : lane));
        else
          from.push_back(-1);
      }
      member = builder.CreateShuffleVector(member, memory[piece], from);
    }
    result.push_back(member);
  }
  return result;
}

/// The memory's vectors out of the members'.
static SmallVector<Value*, 8> interleave(IRBuilder<>& builder, ArrayRef<Value*> members) {
  const unsigned count = unsigned(members.size());
  if (count == 1)
    return {members.front()};
  const unsigned lanes = cast<FixedVectorType>(members.front()->getType())->getNumElements();
  SmallVector<Value*, 8> result;
  if (count % 2 == 0) {
    SmallVector<Value*, 4> halves[2];
    for (unsigned field = 0; field < count; ++field)
      halves[field % 2].push_back(members[field]);
    const SmallVector<Value*, 8> even = interleave(builder, halves[0]), odd = interleave(builder, halves[1]);
    const SmallVector<int, 16> both = createInterleaveMask(lanes, 2);
    for (unsigned pair = 0; pair < count / 2; ++pair)
      for (unsigned half = 0; half < 2; ++half)
        result.push_back(
            builder.CreateShuffleVector(even[pair], odd[pair], ArrayRef(both).slice(half * lanes, lanes)));
    return result;
  }
  for (unsigned piece = 0; piece < count; ++piece) {
    Value* memory = members.front();
    for (unsigned field = 1; field < count; ++field) {
      SmallVector<int, 64> from;
      for (unsigned place = 0; place < lanes; ++place) {
        const unsigned element = piece * lanes + place, source = element % count;
        if (source == field)
          from.push_back(int(lanes + element / count));
        else if (source < field)
          from.push_back(int(field == 1 ? element / count : place));
        else
          from.push_back(-1);
      }
      memory = builder.CreateShuffleVector(memory, members[field], from);
    }
    result.push_back(memory);
  }
  return result;
}

/// Masks of the memory's vectors, each as long as \p chunk, by position.
SmallVector<Value*, 8> vector_emission::masks_of_members(const access_group& group, unsigned chunk) {
  BitVector is_member(group.fields);
  unsigned last = 0;
  for (const access_group::member& each : group.members) {
    is_member.set(each.field);
    last = std::max(last, each.field);
  }
  const unsigned lanes = request_.lanes;
  // Behind a lane's last member something is read only if the next lane has members, too.
  Value* followed = Constant::getNullValue(mask_->getType());
  if (!group.is_store && last + 1 < group.fields) {
    SmallVector<int, 64> next;
    for (unsigned lane = 0; lane < lanes; ++lane)
      next.push_back(int(lane + 1));
    followed = builder_.CreateAnd(mask_, builder_.CreateShuffleVector(mask_, followed, next));
  }
  SmallVector<Value*, 8> result;
  for (unsigned first = 0; first < lanes * group.fields; first += chunk) {
    SmallVector<int, 64> from;
    for (unsigned element = first; element < first + chunk; ++element) {
      const unsigned lane = element / group.fields, field = element % group.fields;
      const bool is_touched = is_member.test(field) || (!group.is_store && field < last);
      from.push_back(int(is_touched ? lane : lanes + lane));
    }
    result.push_back(builder_.CreateShuffleVector(mask_, followed, from));
  }
  assert(result.size() * chunk == lanes * group.fields && result.size() % group.fields == 0 &&
         "the memory's vectors are those of members");
  return result;
}

unsigned vector_emission::chunk_of(const access_group& group) const {
  constexpr unsigned REGISTER_BYTES = 64;
  assert(isPowerOf2_64(group.element) && group.element <= REGISTER_BYTES && "elements fill registers");
  return std::min(request_.lanes, unsigned(REGISTER_BYTES / group.element));
}

/// Of the leader's element of lane 0, in bytes from the group's first element.
static std::uint64_t place_of_leader(const access_group& group) {
  assert((!group.is_tabulated() || !group.starts.empty()) && "lane 0 begins somewhere");
  return (group.leader().field + (group.is_tabulated() ? group.starts.front() : 0)) * group.element;
}

Value* vector_emission::address_of(const access_group& group, std::uint64_t bytes) {
  Value* base = values_.scalar(getLoadStorePointerOperand(group.leader().access));
  const std::int64_t offset = std::int64_t(bytes) - std::int64_t(place_of_leader(group));
  return offset == 0 ? base : builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, std::uint64_t(offset));
}

Type* vector_emission::type_of_members(const access_group& group, LLVMContext& context) {
  Type* type = getLoadStoreType(group.members.front().access);
  for (const access_group::member& each : group.members)
    if (getLoadStoreType(each.access) != type)
      return Type::getIntNTy(context, unsigned(group.element * 8));
  return type;
}

Align vector_emission::alignment_of(const access_group& group, std::uint64_t bytes) {
  const Align own = getLoadStoreAlignment(group.leader().access);
  return commonAlignment(commonAlignment(own, place_of_leader(group)), bytes);
}

void vector_emission::emit_load_group(const access_group& group) {
  const unsigned chunk = chunk_of(group);
  Type* element = type_of_members(group, builder_.getContext());
  auto* type = FixedVectorType::get(element, chunk);
  SmallVector<Value*> accesses;
  for (const access_group::member& each : group.members)
    accesses.push_back(each.access);
  const SmallVector<Value*, 8> masks = masks_of_members(group, chunk);
  SmallVector<SmallVector<Value*, 4>, 8> parts(group.fields);
  for (unsigned first = 0; first < masks.size(); first += group.fields) {
    SmallVector<Value*, 8> memory;
    for (unsigned piece = first; piece < first + group.fields; ++piece) {
      const std::uint64_t bytes = std::uint64_t(piece) * chunk * group.element;
      memory.push_back(propagateMetadata(builder_.CreateMaskedLoad(type, address_of(group, bytes),
                                                                   alignment_of(group, bytes), masks[piece],
                                                                   Constant::getNullValue(type)),
                                         accesses));
    }
    for (const auto& [field, vector] : enumerate(deinterleave(builder_, memory)))
      parts[field].push_back(vector);
  }
  for (const access_group::member& each : group.members) {
    Value* all = concatenateVectors(builder_, parts[each.field]);
    Type* wanted = widened(each.access->getType(), request_.lanes);
    values_.set(each.access, builder_.CreateBitOrPointerCast(all, wanted, each.access->getName()));
  }
}

void vector_emission::emit_store_group(const access_group& group) {
  const unsigned chunk = chunk_of(group);
  Type* element = type_of_members(group, builder_.getContext());
  SmallVector<Value*> accesses;
  SmallVector<Value*, 8> members(group.fields, PoisonValue::get(widened(element, request_.lanes)));
  for (const access_group::member& each : group.members) {
    accesses.push_back(each.access);
    members[each.field] = builder_.CreateBitOrPointerCast(
        values_.vector(cast<StoreInst>(each.access)->getValueOperand()), members[each.field]->getType());
  }
  const SmallVector<Value*, 8> masks = masks_of_members(group, chunk);
  for (unsigned first = 0; first < masks.size(); first += group.fields) {
    SmallVector<Value*, 8> parts;
    for (Value* member : members) {
      const auto mask = createSequentialMask(first / group.fields * chunk, chunk, 0);
      parts.push_back(chunk == request_.lanes ? member : builder_.CreateShuffleVector(member, mask));
    }
    for (const auto& [piece, vector] : enumerate(interleave(builder_, parts))) {
      const std::uint64_t bytes = (first + piece) * chunk * group.element;
      propagateMetadata(builder_.CreateMaskedStore(vector, address_of(group, bytes),
                                                   alignment_of(group, bytes), masks[first + piece]),
                        accesses);
    }
  }
}

} // namespace falx::jit::simd
