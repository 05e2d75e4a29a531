// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %point = getelementptr %point, ptr %points, i64 %id
//   %x = load float, ptr %point                                ; first: loads all three
//   %y.at = getelementptr i8, ptr %point, i64 4
//   %y = load float, ptr %y.at
//   %z.at = getelementptr i8, ptr %point, i64 8
//   %z = load float, ptr %z.at
//
// are a group of three fields out of three, loaded where the first is; stores are stored where the last is.
// With %near = or (and %id, -8), (and %id, 3),
//   %a.at = getelementptr float, ptr %data, i64 %near          ; of lanes 0 to 7: 0 1 2 3 0 1 2 3
//   %b.at = getelementptr i8, ptr %a.at, i64 16                ; 4 5 6 7 4 5 6 7
// are elements near each other: vectors of memory and a permutation. A load joins a group if nothing between
// it and the group's first may write what it reads; a store, if nothing behind a store of the group may read
// or write what that wrote.

#include "access_groups.hpp"
#include "interleaved_variables.hpp"
#include "vectorizer/analysis/affine_form.hpp"
#include "vectorizer/analysis/lane_safety.hpp"

#include <llvm/Analysis/ValueTracking.h>

#include <algorithm>
#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

namespace {

/// A group that others may still join.
struct open_group {
  affine_form root;
  lane_shape address;
  /// Offsets of the members, in the order of the program.
  SmallVector<std::int64_t, 4> offsets;
  /// Of loads: what was written since the first, without touching any so far.
  SmallVector<const Instruction*, 4> passed_writes;
  std::unique_ptr<access_group> group;
};

/// Goes through one block.
class group_search {
public:
  group_search(const lane_shapes& shapes, unsigned lanes, const DataLayout& layout,
               SmallVectorImpl<std::unique_ptr<access_group>>& found)
      : shapes_(shapes), lanes_(lanes), layout_(layout), found_(found) {}
  void visit(Instruction& instruction);
  void close_all();

private:
  void visit_access(Instruction& access, const affine_form& where, const lane_shape& address,
                    std::uint64_t size);
  bool joins(const open_group& group, const affine_form& where, std::uint64_t size) const;
  bool has_elements(const lane_shape& address, bool is_store, std::int64_t size) const;
  bool meets_member(const open_group& group, ArrayRef<std::int64_t> offsets, std::int64_t offset,
                    std::int64_t size) const;
  /// The bytes at \p offsets, members of \p group, are not among those of \p access in any lane.
  bool is_apart(const open_group& group, ArrayRef<std::int64_t> offsets, const Instruction& access) const;
  void close(bool is_store, const Instruction& because);
  void finish(open_group& group);
  void finish_tabulated(open_group& group);

  const lane_shapes& shapes_;
  unsigned lanes_;
  const DataLayout& layout_;
  SmallVectorImpl<std::unique_ptr<access_group>>& found_;
  SmallVector<open_group, 4> open_;
};

} // namespace

/// In bytes from the place that affine_form::has_terms_of compares.
static std::int64_t offset_of(const affine_form& place) {
  return std::int64_t(place.constant);
}

/// Of tabulated addresses: any lane's \p size bytes at \p offset are among those at \p offsets, members of
/// \p group, of any lane.
bool group_search::meets_member(const open_group& group, ArrayRef<std::int64_t> offsets, std::int64_t offset,
                                std::int64_t size) const {
  const lane_offsets& lanes = *group.address.offsets;
  const std::int64_t most = lanes.greatest - lanes.least + std::max(size, std::int64_t(group.group->element));
  for (const std::int64_t member : offsets)
    for (unsigned lane = 0; lane < lanes_ && std::abs(offset - member) < most; ++lane)
      for (unsigned other = 0; other < lanes_; ++other) {
        const std::int64_t distance =
            offset + group.address.offset_of(lane) - member - group.address.offset_of(other);
        if (distance < std::int64_t(group.group->element) && distance > -size)
          return true;
      }
  return false;
}

/// Vectors that hold all elements from the first to the last one, for each vector of elements that are
/// wanted.
constexpr std::int64_t MOST_VECTORS = 2;

bool group_search::joins(const open_group& group, const affine_form& where, std::uint64_t size) const {
  if (!group.root.has_terms_of(where) || group.group->element != size ||
      is_contained(group.offsets, offset_of(where)))
    return false;
  const auto [lowest, highest] = std::minmax_element(group.offsets.begin(), group.offsets.end());
  const std::int64_t first = std::min(*lowest, offset_of(where)), last = std::max(*highest, offset_of(where));
  // It would be loaded with the first.
  const auto is_written = [&](const Instruction* write) {
    return !is_apart(group, offset_of(where), *write);
  };
  if (any_of(group.passed_writes, is_written) || (offset_of(where) - *lowest) % std::int64_t(size) != 0)
    return false;
  const std::int64_t bytes = last - first + std::int64_t(size);
  if (group.address.is_progression())
    return bytes <= group.address.stride;
  const std::int64_t span = bytes + group.address.offsets->greatest - group.address.offsets->least;
  return span <= MOST_VECTORS * lanes_ * std::int64_t(size * (group.offsets.size() + 1)) &&
         (!group.group->is_store ||
          !meets_member(group, group.offsets, offset_of(where), std::int64_t(size)));
}

bool group_search::is_apart(const open_group& group, ArrayRef<std::int64_t> offsets,
                            const Instruction& access) const {
  const Value* pointer = getLoadStorePointerOperand(&access);
  if (pointer == nullptr)
    return false;
  const auto* variable = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
  if (variable != nullptr && interleaved_element(*variable) != 0)
    return getUnderlyingObject(group.root.base) != variable;
  const affine_form where = affine_form_of(*pointer, layout_);
  if (!group.root.has_terms_of(where) || !shapes_[pointer].has_offsets_of(group.address))
    return false;
  const auto size = std::int64_t(layout_.getTypeStoreSize(getLoadStoreType(&access)));
  if (!group.address.is_progression())
    return !meets_member(group, offsets, offset_of(where), size);
  const std::int64_t stride = group.address.stride;
  return all_of(offsets, [&](std::int64_t offset) {
    // Distance to the member's bytes and to those of the next lane's member.
    const std::int64_t distance = ((offset_of(where) - offset) % stride + stride) % stride;
    return distance >= std::int64_t(group.group->element) && distance + size <= stride;
  });
}

void group_search::finish_tabulated(open_group& group) {
  const auto [lowest, highest] = std::minmax_element(group.offsets.begin(), group.offsets.end());
  const lane_offsets& lanes = *group.address.offsets;
  access_group& result = *group.group;
  assert(lanes.of_lane.size() == lanes_ && "the table is of another vector");
  const auto size = std::int64_t(result.element);
  result.fields = unsigned((*highest - *lowest + lanes.greatest - lanes.least) / size) + 1;
  if (result.fields > MOST_VECTORS * lanes_ * result.members.size())
    return;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    result.starts.push_back(unsigned((group.address.offset_of(lane) - lanes.least) / size));
  for (const auto& [member, offset] : zip(result.members, group.offsets))
    member.field = unsigned((offset - *lowest) / size);
  assert(all_of(result.members,
                [&](const access_group::member& member) {
                  return member.field + *std::ranges::max_element(result.starts) < result.fields;
                }) &&
         "an element lies outside of what is accessed for all");
  found_.push_back(std::move(group.group));
}

void group_search::finish(open_group& group) {
  assert(group.group->members.size() == group.offsets.size() && "every member has its offset");
  if (!group.address.is_progression())
    return finish_tabulated(group);
  constexpr unsigned LARGEST = 8, LARGEST_FOR_ONE = 4;
  const std::int64_t lowest = *std::min_element(group.offsets.begin(), group.offsets.end());
  access_group& result = *group.group;
  result.fields = unsigned(group.address.stride / std::int64_t(result.element));
  if (result.fields > (result.members.size() > 1 ? LARGEST : LARGEST_FOR_ONE))
    return;
  for (const auto& [member, offset] : zip(result.members, group.offsets))
    member.field = unsigned((offset - lowest) / std::int64_t(result.element));
  assert(all_of(result.members,
                [&](const access_group::member& member) { return member.field < result.fields; }) &&
         "a field lies in the next lane's structure");
  found_.push_back(std::move(group.group));
}

/// Groups of stores (or of loads) end unless they have nothing to do with \p because.
void group_search::close(bool is_store, const Instruction& because) {
  for (open_group& group : open_) {
    if (group.group->is_store != is_store)
      continue;
    if (!is_apart(group, group.offsets, because))
      finish(group);
    else if (!is_store)
      group.passed_writes.push_back(&because);
  }
  erase_if(open_, [](const open_group& group) {
    return group.group == nullptr || group.group->fields != 0; // finished
  });
}

void group_search::close_all() {
  for (open_group& group : open_)
    finish(group);
  open_.clear();
}

void group_search::visit_access(Instruction& access, const affine_form& where, const lane_shape& address,
                                std::uint64_t size) {
  const bool is_store = isa<StoreInst>(access);
  for (open_group& group : open_)
    if (group.group->is_store == is_store && group.address.has_offsets_of(address) &&
        joins(group, where, size)) {
      group.offsets.push_back(offset_of(where));
      group.group->members.push_back({&access, 0});
      return;
    }
  open_group fresh;
  fresh.root = where;
  fresh.address = address;
  fresh.offsets.push_back(offset_of(where));
  fresh.group = std::make_unique<access_group>();
  fresh.group->members.push_back({&access, 0});
  fresh.group->element = size;
  fresh.group->is_store = is_store;
  open_.push_back(std::move(fresh));
}

/// Lanes are multiples of \p size apart, and not too far for differences to be numbers; if they write, each
/// its own.
bool group_search::has_elements(const lane_shape& address, bool is_store, std::int64_t size) const {
  constexpr std::int64_t FAR = 1 << 20;
  SmallVector<std::int64_t, 64> all;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    all.push_back(address.offset_of(lane));
  if (any_of(all, [&](std::int64_t offset) { return offset % size != 0 || offset > FAR || offset < -FAR; }))
    return false;
  sort(all);
  return !is_store || std::adjacent_find(all.begin(), all.end()) == all.end();
}

void group_search::visit(Instruction& instruction) {
  if (!instruction.mayReadOrWriteMemory() || instruction.hasMetadata(LLVMContext::MD_invariant_load))
    return;
  if (instruction.mayWriteToMemory())
    close(/*is_store=*/false, instruction);
  close(/*is_store=*/true, instruction);
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  if (pointer == nullptr || instruction.isAtomic() || instruction.isVolatile())
    return;
  Type* type = getLoadStoreType(&instruction);
  const lane_shape address = shapes_[pointer];
  if (!has_vector_layout(type, layout_) || !address.is_scalar())
    return;
  const std::uint64_t size = layout_.getTypeStoreSize(type);
  const bool fits = address.is_progression()
                        ? address.stride > 0 && std::uint64_t(address.stride) % size == 0 &&
                              std::uint64_t(address.stride) != size
                        : has_elements(address, isa<StoreInst>(instruction), std::int64_t(size));
  if (fits)
    visit_access(instruction, affine_form_of(*pointer, layout_), address, size);
}

access_groups::access_groups(const Function& work_item, const lane_shapes& shapes, unsigned lanes) {
  for (const BasicBlock& block : work_item) {
    group_search search(shapes, lanes, work_item.getDataLayout(), groups_);
    for (const Instruction& instruction : block)
      search.visit(const_cast<Instruction&>(instruction));
    search.close_all();
  }
  for (const std::unique_ptr<access_group>& group : groups_)
    for (const access_group::member& member : group->members) {
      [[maybe_unused]] const bool is_first = groups_of_.try_emplace(member.access, group.get()).second;
      assert(is_first && "an access would be made twice");
    }
}

} // namespace falx::jit::simd
