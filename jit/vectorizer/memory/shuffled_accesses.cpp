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
// are done together, loaded where the first is; stores are stored where the last is. Lanes' elements lie
//   %id, 3 * %id, -%id                         in a progression,
//   or (shl (and %id, -4), 1), (and %id, 3)    by a table: for lanes 0 to 7, 0 1 2 3 8 9 10 11; with what
//                                              lies 4 behind these, two whole vectors and their shuffles
//   add (mul %y, %width), %x                   in a progression in each row of the work-group, if a vector
//                                              holds several rows, which begin anywhere
//   add (mul %id, %width), %k                  anywhere, but a lane's elements near each other
// A load joins others if nothing between it and the first of them may write what it reads; a store, if
// nothing behind the first of them may read or write what that wrote. So do those of a row that is changed,
// x[k] = f(x[k]) for one k after the other, and of another row, if launches or the program say that it lies
// elsewhere (frontend/restricted_pointers.cpp).

#include "shuffled_accesses.hpp"
#include "interleaved_variables.hpp"
#include "vectorizer/analysis/affine_form.hpp"
#include "vectorizer/analysis/lane_safety.hpp"

#include <llvm/ADT/SmallVectorExtras.h>
#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/Analysis/ValueTracking.h>

#include <algorithm>
#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

namespace {

/// How the addresses of a row's lanes lie.
struct lane_places {
  /// Lanes at constant distances from each other; 1 if there are none.
  unsigned row = 0;
  /// In bytes from lane to lane; 0 if they are in no progression.
  std::int64_t stride = 0;
  /// By lane, in bytes from the first one's.
  SmallVector<std::int64_t, 16> offsets;

  /// Lanes lie anywhere.
  bool are_apart() const { return row == 1; }
  bool operator==(const lane_places&) const = default;
};

/// Accesses that others may still join.
struct open_access {
  /// Of the first.
  affine_form root;
  lane_places places;
  shuffled_access access;
  /// Of loads: what was written since the first. It touches none of those that are behind it.
  SmallVector<const Instruction*, 4> passed_writes;

  /// In bytes, of an address that differs from the first one's by a constant.
  std::int64_t distance_of(const affine_form& other) const {
    return std::int64_t(other.constant - root.constant);
  }
};

/// Goes through one block.
class access_search {
public:
  access_search(const lane_shapes& shapes, const vector_request& request, const access_costs& costs,
                bool all_are_active, SmallVectorImpl<std::unique_ptr<shuffled_access>>& found)
      : shapes_(shapes), lanes_(request.lanes), request_(request), costs_(costs), layout_(shapes.layout()),
        takes_lanes_apart_(all_are_active), found_(found) {}
  void visit(Instruction& instruction);
  void close_all();

private:
  affine_form::distance step_in_rows(const Value& value) const;
  lane_places places_of(const Value& pointer) const;
  bool has_elements(const lane_places& places, bool is_store, std::int64_t size) const;
  bool join(open_access& open, const affine_form& where, const lane_places& places,
            Instruction& access) const;
  bool meets_member(const open_access& open, ArrayRef<shuffled_access::member> members, std::int64_t distance,
                    std::int64_t size) const;
  bool is_apart(const open_access& open, ArrayRef<shuffled_access::member> members,
                const Instruction& access) const;
  void close(bool is_store, const Instruction& because);
  void finish(shuffled_access access);

  const lane_shapes& shapes_;
  const unsigned lanes_;
  const vector_request& request_;
  const access_costs& costs_;
  const DataLayout& layout_;
  /// Under a mask that is no constant, a vector of memory for each lane takes longer than a gather.
  const bool takes_lanes_apart_;
  SmallVectorImpl<std::unique_ptr<shuffled_access>>& found_;
  SmallVector<open_access, 4> open_;
};

} // namespace

/// Of a scalar shape: how much each lane of a row has more than the one before, if that is always the same.
static affine_form::distance step_of(const lane_shape& shape, unsigned columns, unsigned lanes) {
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
affine_form::distance access_search::step_in_rows(const Value& value) const {
  const auto is_scalar = [&](const Value& part) { return shapes_[&part].is_scalar(); };
  const affine_form form = affine_form_of(value, layout_, {.is_leaf = is_scalar});
  return form.sum([&](const Value& term) -> affine_form::distance {
    if (is_scalar(term))
      return step_of(shapes_[&term], request_.columns, lanes_);
    // What is the same in a row is so times what is.
    const auto* product = dyn_cast<BinaryOperator>(&term);
    const bool is_same =
        product != nullptr && &term != &value &&
        (product->getOpcode() == Instruction::Mul || product->getOpcode() == Instruction::Shl) &&
        all_of(product->operands(), [&](const Use& factor) { return step_in_rows(*factor) == 0; });
    return is_same ? affine_form::distance(0) : std::nullopt;
  });
}

/// Without a row, if all lanes are at one address.
lane_places access_search::places_of(const Value& pointer) const {
  const lane_shape shape = shapes_[&pointer];
  lane_places places;
  if (shape.is_scalar() && !shape.is_uniform()) {
    places.row = lanes_;
    places.stride = shape.is_progression() ? shape.stride : 0;
    for (unsigned lane = 0; lane < lanes_; ++lane)
      places.offsets.push_back(
          std::int64_t(std::uint64_t(shape.offset_of(lane)) - std::uint64_t(shape.offset_of(0))));
  } else if (shape.is_varying() && request_.columns != 0) {
    if (const affine_form::distance step = step_in_rows(pointer)) {
      places.row = request_.columns;
      places.stride = std::int64_t(*step);
      for (unsigned lane = 0; lane < places.row; ++lane)
        places.offsets.push_back(std::int64_t(*step * lane));
    }
  }
  if (shape.is_varying() && places.row == 0) {
    places.row = 1;
    places.offsets.push_back(0);
  }
  return places;
}

/// From the first to the last of a lane's elements that are loaded together: two lines of memory. Further
/// ones need vectors of their own anyway.
constexpr std::int64_t MOST_BYTES_APART = 128;

/// Writes behind loads that others may still join.
constexpr std::size_t MOST_PASSED_WRITES = 64;

/// Lanes are multiples of \p size apart, and not too far for differences to be numbers; if they write, each
/// its own.
bool access_search::has_elements(const lane_places& places, bool is_store, std::int64_t size) const {
  SmallVector<std::int64_t, 64> all(ArrayRef(places.offsets));
  if (places.row == 0 || any_of(all, [&](std::int64_t offset) {
        return offset % size != 0 || std::abs(offset) > FARTHEST_LANES;
      }))
    return false;
  sort(all);
  return !is_store || std::adjacent_find(all.begin(), all.end()) == all.end();
}

/// Any lane's \p size bytes at \p distance are among those of \p members of \p open, of any lane.
bool access_search::meets_member(const open_access& open, ArrayRef<shuffled_access::member> members,
                                 std::int64_t distance, std::int64_t size) const {
  const auto element = std::int64_t(open.access.element);
  const auto [least, greatest] = std::minmax_element(open.places.offsets.begin(), open.places.offsets.end());
  const std::int64_t most = *greatest - *least + std::max(size, element);
  return any_of(members, [&](const shuffled_access::member& member) {
    const std::int64_t apart = distance - member.at * element;
    return std::abs(apart) < most && any_of(
                                         open.places.offsets,
                                         [&](std::int64_t lane) {
                                           return any_of(open.places.offsets, [&](std::int64_t other) {
                                             return apart + lane - other < element &&
                                                    apart + lane - other > -size;
                                           });
                                         });
  });
}

/// Makes \p access a member, if it can be one.
bool access_search::join(open_access& open, const affine_form& where, const lane_places& places,
                         Instruction& access) const {
  const auto size = std::int64_t(layout_.getTypeStoreSize(getLoadStoreType(&access)));
  shuffled_access& group = open.access;
  if (group.is_store != isa<StoreInst>(access) || std::int64_t(group.element) != size ||
      open.places != places || !open.root.has_terms_of(where) || open.distance_of(where) % size != 0)
    return false;
  const shuffled_access::member fresh{&access, open.distance_of(where) / size};
  std::int64_t lowest = fresh.at, highest = fresh.at;
  for (const shuffled_access::member& member : group.members) {
    if (member.at == fresh.at)
      return false;
    lowest = std::min(lowest, member.at);
    highest = std::max(highest, member.at);
  }
  // It would be loaded with the first.
  if (any_of(open.passed_writes, [&](const Instruction* write) { return !is_apart(open, fresh, *write); }))
    return false;
  shuffled_access both = group;
  both.members.push_back(fresh);
  if (places.are_apart()) {
    if ((highest - lowest + 1) * size > MOST_BYTES_APART)
      return false;
  } else if (places.stride != 0) {
    // Members of one structure per lane. Whether all of them together are worth it, the last one tells.
    if ((highest - lowest + 1) * size > std::abs(places.stride) || (places.row != lanes_ && group.is_store))
      return false;
  } else {
    // By a table, if they share vectors of memory.
    if ((group.is_store && meets_member(open, group.members, open.distance_of(where), size)) ||
        !has_elements(places, false, size) || (highest - lowest) * size > FARTHEST_LANES)
      return false;
    shuffled_access alone = group;
    alone.members = {fresh};
    const auto elements = [&](const shuffled_access& some) {
      return plan_access(some, lanes_, costs_).elements();
    };
    if (elements(both) >= elements(group) + elements(alone))
      return false;
  }
  group = std::move(both);
  return true;
}

/// Promises of the program, and what launches know, hold for all work-items.
static bool are_in_different_memory(const Instruction& one, const Instruction& other) {
  const auto may_alias = [](const Instruction& scoped, const Instruction& apart) {
    return ScopedNoAliasAAResult::mayAliasInScopes(scoped.getMetadata(LLVMContext::MD_alias_scope),
                                                   apart.getMetadata(LLVMContext::MD_noalias));
  };
  return !may_alias(one, other) || !may_alias(other, one);
}

/// The bytes of \p members of \p open are not among those of \p access in any lane.
bool access_search::is_apart(const open_access& open, ArrayRef<shuffled_access::member> members,
                             const Instruction& access) const {
  const Value* pointer = getLoadStorePointerOperand(&access);
  if (pointer == nullptr)
    return false;
  if (all_of(members, [&](const shuffled_access::member& member) {
        return are_in_different_memory(*member.access, access);
      }))
    return true;
  const auto* variable = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
  if (variable != nullptr && interleaved_element(*variable) != 0)
    return getUnderlyingObject(open.root.base) != variable;
  // Rows may overlap.
  const affine_form where = affine_form_of(*pointer, layout_, {.takes_extended_sums = true});
  if (open.places.row != lanes_ || !open.root.has_terms_of(where) || open.places != places_of(*pointer))
    return false;
  return !meets_member(open, members, open.distance_of(where),
                       std::int64_t(layout_.getTypeStoreSize(getLoadStoreType(&access))));
}

void access_search::finish(shuffled_access access) {
  const bool are_apart = access.row == 1;
  if (are_apart && access.members.size() == 1)
    return;
  if (are_apart)
    plan_lanes_apart(access, lanes_, costs_);
  else
    access.plan = plan_access(access, lanes_, costs_);
  double scattered = 0;
  for (const shuffled_access::member& member : access.members)
    scattered += costs_.of_scattered(*member.access, lanes_);
  // A vector for each element would be loaded for that alone.
  const bool shares_vectors = access.plan.memory.size() < access.members.size() * access.row;
  if (access.is_consecutive() || (shares_vectors && access.plan.cost < scattered)) {
    found_.push_back(std::make_unique<shuffled_access>(std::move(access)));
    return;
  }
  if (are_apart || access.members.size() == 1)
    return;
  for (const shuffled_access::member& member : access.members) {
    shuffled_access alone = access;
    alone.members = {member};
    finish(std::move(alone));
  }
}

/// Stores end unless they have nothing to do with \p because, which is an access. Loads that are there come
/// before it, and others have to ask whether they could.
void access_search::close(bool is_store, const Instruction& because) {
  const bool is_access = getLoadStorePointerOperand(&because) != nullptr;
  erase_if(open_, [&](open_access& open) {
    if (open.access.is_store != is_store)
      return false;
    if (is_store ? is_apart(open, open.access.members, because)
                 : is_access && open.passed_writes.size() < MOST_PASSED_WRITES) {
      if (!is_store)
        open.passed_writes.push_back(&because);
      return false;
    }
    finish(open.access);
    return true;
  });
}

void access_search::close_all() {
  for (const open_access& open : open_)
    finish(open.access);
  open_.clear();
}

void access_search::visit(Instruction& instruction) {
  if (!instruction.mayReadOrWriteMemory())
    return;
  // What nothing ever writes may be read before or behind all else.
  if (!instruction.hasMetadata(LLVMContext::MD_invariant_load)) {
    if (instruction.mayWriteToMemory())
      close(/*is_store=*/false, instruction);
    close(/*is_store=*/true, instruction);
  }
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  if (pointer == nullptr || instruction.isAtomic() || instruction.isVolatile())
    return;
  Type* type = getLoadStoreType(&instruction);
  if (!has_vector_layout(type, layout_))
    return;
  const auto size = std::int64_t(layout_.getTypeStoreSize(type));
  const lane_places places = places_of(*pointer);
  const bool is_store = isa<StoreInst>(instruction);
  if (places.are_apart() &&
      (is_store || !takes_lanes_apart_ || isa<AllocaInst>(getUnderlyingObject(pointer))))
    return;
  // Without masked accesses of that size, rows would be branches per lane: these are fewer as a loop.
  const bool has_masks = places.row == lanes_ || size >= 4 || request_.computes_under_masks;
  if (!has_masks || !has_elements(places, is_store, size))
    return;
  const affine_form where = affine_form_of(*pointer, layout_, {.takes_extended_sums = true});
  if (any_of(open_, [&](open_access& open) { return join(open, where, places, instruction); }))
    return;
  shuffled_access fresh;
  fresh.members.push_back({&instruction});
  fresh.element = std::uint64_t(size);
  fresh.row = places.row;
  fresh.starts = map_to_vector<16>(places.offsets, [&](std::int64_t offset) { return offset / size; });
  fresh.is_store = is_store;
  // Lanes' elements without a gap have no room for others.
  if (std::abs(places.stride) == size)
    finish(std::move(fresh));
  else
    open_.push_back({where, places, std::move(fresh), {}});
}

shuffled_accesses::shuffled_accesses(const Function& work_item, const lane_shapes& shapes,
                                     const vector_request& request, const access_costs& costs,
                                     function_ref<bool(const BasicBlock&)> is_whole) {
  for (const BasicBlock& block : work_item) {
    access_search search(shapes, request, costs, is_whole(block), found_);
    for (const Instruction& instruction : block)
      search.visit(const_cast<Instruction&>(instruction));
    search.close_all();
  }
  for (const std::unique_ptr<shuffled_access>& each : found_)
    for (const shuffled_access::member& member : each->members) {
      [[maybe_unused]] const bool is_first = found_of_.try_emplace(member.access, each.get()).second;
      assert(is_first && "an access would be made twice");
    }
}

} // namespace falx::jit::simd
