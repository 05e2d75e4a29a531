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
//   or (shl (and %id, -4), 1), (and %id, 3)    by a table: for lanes 0 to 7, 0 1 2 3 8 9 10 11; with what lies
//                                              4 behind these, two whole vectors and their shuffles
//   add (mul %y, %width), %x                   in a progression in each row of the work-group, if a vector
//                                              holds several rows, which begin anywhere
// A load joins others if nothing between it and the first of them may write what it reads; a store, if
// nothing behind the first of them may read or write what that wrote.

#include "shuffled_accesses.hpp"
#include "interleaved_variables.hpp"
#include "vectorizer/analysis/affine_form.hpp"
#include "vectorizer/analysis/lane_safety.hpp"
#include "vectorizer/cost/scattered_accesses.hpp"

#include <llvm/Analysis/ValueTracking.h>

#include <algorithm>
#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

namespace {

/// How the addresses of a row's lanes lie.
struct lane_places {
  /// Lanes at constant distances from each other.
  unsigned row = 0;
  /// In bytes from lane to lane; 0 if they are in no progression.
  std::int64_t stride = 0;
  /// By lane, in bytes from the first one's.
  SmallVector<std::int64_t, 16> offsets;

  bool operator==(const lane_places&) const = default;
};

/// Accesses that others may still join.
struct open_access {
  affine_form root;
  lane_places places;
  /// Offsets of the members, in the order of the program.
  SmallVector<std::int64_t, 4> offsets;
  /// Of loads: what was written since the first, without touching any so far.
  SmallVector<const Instruction*, 4> passed_writes;
  SmallVector<Instruction*, 4> members;
  std::int64_t element = 0;
  bool is_store = false;
};

/// Goes through one block.
class access_search {
public:
  access_search(const lane_shapes& shapes, const vector_request& request, const access_costs& costs,
                SmallVectorImpl<std::unique_ptr<shuffled_access>>& found)
      : shapes_(shapes), lanes_(request.lanes), request_(request), costs_(costs), layout_(shapes.layout()),
        found_(found) {}
  void visit(Instruction& instruction);
  void close_all();

private:
  affine_form::distance step_in_rows(const Value& value) const;
  lane_places places_of(const Value& pointer) const;
  bool has_elements(const lane_places& places, bool is_store, std::int64_t size) const;
  bool joins(const open_access& open, const affine_form& where, const lane_places& places,
             Instruction& access) const;
  bool meets_member(const open_access& open, ArrayRef<std::int64_t> offsets, std::int64_t offset,
                    std::int64_t size) const;
  bool is_apart(const open_access& open, ArrayRef<std::int64_t> offsets, const Instruction& access) const;
  std::unique_ptr<shuffled_access> planned(const open_access& open) const;
  void close(bool is_store, const Instruction& because);
  void finish(const open_access& open);

  const lane_shapes& shapes_;
  const unsigned lanes_;
  const vector_request& request_;
  const access_costs& costs_;
  const DataLayout& layout_;
  SmallVectorImpl<std::unique_ptr<shuffled_access>>& found_;
  SmallVector<open_access, 4> open_;
};

} // namespace

/// In bytes from the place that affine_form::has_terms_of compares.
static std::int64_t offset_of(const affine_form& place) {
  return std::int64_t(place.constant);
}

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
  const affine_form form = affine_form_of(value, layout_, {is_scalar});
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

/// Without a row, if all lanes are at one address, or at no constant distances.
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
    const affine_form::distance step = step_in_rows(pointer);
    if (!step)
      return places;
    places.row = request_.columns;
    places.stride = std::int64_t(*step);
    for (unsigned lane = 0; lane < places.row; ++lane)
      places.offsets.push_back(std::int64_t(*step * lane));
  }
  return places;
}

/// In bytes; differences of less fit all numbers that count elements.
constexpr std::int64_t FAR = 1 << 20;

/// Lanes are multiples of \p size apart, and not too far for differences to be numbers; if they write, each
/// its own.
bool access_search::has_elements(const lane_places& places, bool is_store, std::int64_t size) const {
  SmallVector<std::int64_t, 64> all(ArrayRef(places.offsets));
  if (places.row == 0 ||
      any_of(all, [&](std::int64_t offset) { return offset % size != 0 || offset > FAR || offset < -FAR; }))
    return false;
  sort(all);
  return !is_store || std::adjacent_find(all.begin(), all.end()) == all.end();
}

/// Of tables: any lane's \p size bytes at \p offset are among those at \p offsets, members of \p open, of any
/// lane.
bool access_search::meets_member(const open_access& open, ArrayRef<std::int64_t> offsets, std::int64_t offset,
                                 std::int64_t size) const {
  const auto [least, greatest] = std::minmax_element(open.places.offsets.begin(), open.places.offsets.end());
  const std::int64_t most = *greatest - *least + std::max(size, open.element);
  for (const std::int64_t member : offsets)
    for (unsigned lane = 0; lane < lanes_ && std::abs(offset - member) < most; ++lane)
      for (unsigned other = 0; other < lanes_; ++other) {
        const std::int64_t distance =
            offset + open.places.offsets[lane] - member - open.places.offsets[other];
        if (distance < open.element && distance > -size)
          return true;
      }
  return false;
}

bool access_search::joins(const open_access& open, const affine_form& where, const lane_places& places,
                          Instruction& access) const {
  const auto size = std::int64_t(layout_.getTypeStoreSize(getLoadStoreType(&access)));
  if (open.is_store != isa<StoreInst>(access) || open.element != size || open.places != places ||
      !open.root.has_terms_of(where) || is_contained(open.offsets, offset_of(where)))
    return false;
  const auto [lowest, highest] = std::minmax_element(open.offsets.begin(), open.offsets.end());
  const std::int64_t first = std::min(*lowest, offset_of(where)), last = std::max(*highest, offset_of(where));
  // It would be loaded with the first.
  const auto is_written = [&](const Instruction* write) { return !is_apart(open, offset_of(where), *write); };
  if (any_of(open.passed_writes, is_written) || (offset_of(where) - *lowest) % size != 0)
    return false;
  // Members of one structure per lane. Whether all of them together are worth it, the last one tells.
  if (places.stride != 0)
    return last - first + size <= std::abs(places.stride) && (places.row == lanes_ || !open.is_store);
  if (open.is_store && meets_member(open, open.offsets, offset_of(where), size))
    return false;
  if (!has_elements(places, false, size) || last - first > FAR)
    return false;
  // By a table, if they share vectors of memory.
  open_access alone = open, both = open;
  alone.offsets = {offset_of(where)};
  alone.members = {&access};
  both.offsets.push_back(offset_of(where));
  both.members.push_back(&access);
  return planned(both)->plan.elements() < planned(open)->plan.elements() + planned(alone)->plan.elements();
}

/// The bytes at \p offsets, members of \p open, are not among those of \p access in any lane.
bool access_search::is_apart(const open_access& open, ArrayRef<std::int64_t> offsets,
                             const Instruction& access) const {
  const Value* pointer = getLoadStorePointerOperand(&access);
  if (pointer == nullptr)
    return false;
  const auto* variable = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
  if (variable != nullptr && interleaved_element(*variable) != 0)
    return getUnderlyingObject(open.root.base) != variable;
  // Rows may overlap.
  const affine_form where = affine_form_of(*pointer, layout_);
  if (open.places.row != lanes_ || !open.root.has_terms_of(where) || open.places != places_of(*pointer))
    return false;
  const auto size = std::int64_t(layout_.getTypeStoreSize(getLoadStoreType(&access)));
  if (open.places.stride == 0)
    return !meets_member(open, offsets, offset_of(where), size);
  const std::int64_t stride = std::abs(open.places.stride);
  return all_of(offsets, [&](std::int64_t offset) {
    // Distance to the member's bytes and to those of the next lane's member.
    const std::int64_t distance = ((offset_of(where) - offset) % stride + stride) % stride;
    return distance >= open.element && distance + size <= stride;
  });
}

std::unique_ptr<shuffled_access> access_search::planned(const open_access& open) const {
  auto result = std::make_unique<shuffled_access>();
  result->element = std::uint64_t(open.element);
  result->is_store = open.is_store;
  result->row = open.places.row;
  const std::int64_t lowest = *std::min_element(open.offsets.begin(), open.offsets.end());
  for (const auto& [access, offset] : zip(open.members, open.offsets))
    result->members.push_back({access, unsigned((offset - lowest) / open.element)});
  const std::int64_t least = *std::min_element(open.places.offsets.begin(), open.places.offsets.end());
  for (const std::int64_t offset : open.places.offsets)
    result->starts.push_back(unsigned((offset - least) / open.element));
  result->plan = plan_access(*result, lanes_, costs_);
  return result;
}

void access_search::finish(const open_access& open) {
  assert(open.members.size() == open.offsets.size() && "every member has its offset");
  std::unique_ptr<shuffled_access> access = planned(open);
  double scattered = 0;
  for (const Instruction* member : open.members)
    scattered += costs_.of_scattered(*member, lanes_);
  if (access->is_consecutive() || access->plan.cost < scattered) {
    found_.push_back(std::move(access));
    return;
  }
  if (open.members.size() == 1)
    return;
  for (const auto& [member, offset] : zip(open.members, open.offsets)) {
    open_access alone = open;
    alone.members = {member};
    alone.offsets = {offset};
    finish(alone);
  }
}

/// Stores (or loads) end unless they have nothing to do with \p because.
void access_search::close(bool is_store, const Instruction& because) {
  erase_if(open_, [&](open_access& open) {
    if (open.is_store != is_store)
      return false;
    if (!is_apart(open, open.offsets, because)) {
      finish(open);
      return true;
    }
    if (!is_store)
      open.passed_writes.push_back(&because);
    return false;
  });
}

void access_search::close_all() {
  for (const open_access& open : open_)
    finish(open);
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
  // Without masked accesses of that size, rows would be branches per lane: these are fewer as a loop.
  const bool has_masks = places.row == lanes_ || size >= 4 || request_.computes_under_masks;
  if (!has_masks || !has_elements(places, is_store, size))
    return;
  const affine_form where = affine_form_of(*pointer, layout_);
  const auto same =
      find_if(open_, [&](const open_access& open) { return joins(open, where, places, instruction); });
  if (same != open_.end()) {
    same->offsets.push_back(offset_of(where));
    same->members.push_back(&instruction);
    return;
  }
  open_access fresh;
  fresh.root = where;
  fresh.places = places;
  fresh.offsets.push_back(offset_of(where));
  fresh.members.push_back(&instruction);
  fresh.element = size;
  fresh.is_store = is_store;
  // Lanes' elements without a gap have no room for others.
  if (std::abs(places.stride) == size)
    finish(fresh);
  else
    open_.push_back(std::move(fresh));
}

shuffled_accesses::shuffled_accesses(const Function& work_item, const lane_shapes& shapes,
                                     const vector_request& request, const access_costs& costs) {
  for (const BasicBlock& block : work_item) {
    access_search search(shapes, request, costs, found_);
    for (const Instruction& instruction : block)
      search.visit(const_cast<Instruction&>(instruction));
    search.close_all();
  }
  for (const std::unique_ptr<shuffled_access>& each : found_)
    for (const shuffled_access::member& member : each->members) {
      [[maybe_unused]] const bool is_first = found_of_.try_emplace(member.access, each.get()).second;
      assert(is_first && "an access would be made twice");
      unmark_branching_access(*member.access);
    }
}

} // namespace falx::jit::simd
