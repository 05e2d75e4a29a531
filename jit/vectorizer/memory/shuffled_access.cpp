// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For 4 lanes and the structure { float x, y, z }, of which x and z are loaded:
//   elements    0 1 2 3 4 5 6 7 8 9 10 11
//   lanes       0 0 0 1 1 1 2 2 2 3  3  3        a gap between two of a lane's elements is read with them
//   memory      |-------|-------|---------|      vectors, each masked by its elements' lanes
//   x           0 3 6 9                          shuffles of these
//
// What lies between two elements of active lanes is read, as it is in memory that can be read: so vectors of
// which all lanes are active need no mask. Nothing behind the last element is read. Stores write what is
// stored only. Vectors without an element are left out.
//
// Of lanes whose structures lie anywhere (apart), four floats each:
//   elements    0 1 2 3 | 128 129 130 131 | 256 …   a lane's begin at a multiple of what no lane needs
//   memory      |-------| |-------------| |-----    a vector of each lane, from an address of its own
//   x y z w     0 128 256 384; 1 129 …              a transposition

#include "shuffled_access.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <cassert>
#include <map>

using namespace llvm;

namespace falx::jit::simd {

std::int64_t shuffled_access::lowest() const {
  const auto is_lower = [](const member& left, const member& right) { return left.at < right.at; };
  return min_element(members, is_lower)->at + *min_element(starts);
}

bool shuffled_access::is_consecutive() const {
  return members.size() == 1 && all_of(enumerate(starts), [](const auto& start) {
           return start.value() == std::int64_t(start.index());
         });
}

Type* shuffled_access::type() const {
  Type* first = getLoadStoreType(leader().access);
  if (all_of(members, [&](const member& each) { return getLoadStoreType(each.access) == first; }))
    return first;
  return Type::getIntNTy(first->getContext(), unsigned(element * 8));
}

namespace {

/// Makes one plan.
class planner {
public:
  planner(const shuffled_access& access, unsigned lanes, const access_costs& costs, unsigned length,
          unsigned together = 1)
      : access_(access), costs_(costs), rows_(lanes / access.row), lowest_(access.lowest()) {
    plan_.length = length;
    plan_.together = together;
  }
  access_plan run();

private:
  void find_elements();
  void fill_gaps();
  void find_vectors();
  SmallVector<wanted_vector, 4> wanted() const;
  void add_costs();

  const shuffled_access& access_;
  const access_costs& costs_;
  const unsigned rows_;
  const std::int64_t lowest_;
  access_plan plan_;
  /// By element: who accesses it, as memory_vector::lanes has it.
  std::map<unsigned, SmallVector<int, 2>> lanes_of_;
  /// By vector's number if all from the first element on were accessed: its own number.
  std::map<unsigned, unsigned> vectors_;
};

} // namespace

void planner::find_elements() {
  for (const shuffled_access::member& member : access_.members)
    for (const auto& [lane, start] : enumerate(access_.starts))
      lanes_of_[unsigned(start + member.at - lowest_)].push_back(int(lane));
  for (const auto& [element, lanes] : lanes_of_)
    vectors_.try_emplace(element / plan_.length, unsigned(vectors_.size()));
}

/// Of vectors that are accessed. Between elements on two pages there is no third one. Where a mask that is
/// not constant is a branch per element, mostly empty vectors stay so.
void planner::fill_gaps() {
  constexpr std::uint64_t SMALLEST_PAGE = 4096;
  const int last = lanes_of_.rbegin()->second.front();
  std::map<unsigned, unsigned> touched;
  for (const auto& [element, lanes] : lanes_of_)
    ++touched[element / plan_.length];
  const bool has_masks = costs_.has_masks(*access_.leader().access, plan_.length);
  const auto is_filled = [&](unsigned element) {
    const auto found = touched.find(element / plan_.length);
    return found != touched.end() && (has_masks || 2 * found->second >= plan_.length);
  };
  for (auto here = lanes_of_.begin(); std::next(here) != lanes_of_.end();) {
    const auto next = std::next(here);
    const int lane = here->second.front(), next_lane = next->second.front();
    int& partner = plan_.partners[unsigned(lane)];
    const bool is_near = (next->first - here->first) * access_.element < SMALLEST_PAGE &&
                         (access_.apart == 0 || lane == next_lane);
    for (unsigned gap = here->first + 1; gap < next->first && is_near; ++gap) {
      if (!is_filled(gap))
        continue;
      if (lane != next_lane && lane != last && partner == access_plan::NO_LANE)
        partner = next_lane;
      if (lane == next_lane || partner == next_lane)
        lanes_of_.try_emplace(next, gap, std::size_t(1), lane == next_lane ? lane : int(access_.row) + lane);
    }
    here = next;
  }
}

void planner::find_vectors() {
  for (const auto& [place, number] : vectors_)
    plan_.memory.push_back({place * plan_.length, {}});
  for (const auto& [element, lanes] : lanes_of_) {
    auto& masks = plan_.memory[vectors_.at(element / plan_.length)].lanes;
    while (masks.size() < lanes.size())
      masks.emplace_back(plan_.length, access_plan::NO_LANE);
    for (const auto& [mask, lane] : zip(masks, lanes))
      mask[element % plan_.length] = lane;
  }
}

SmallVector<wanted_vector, 4> planner::wanted() const {
  const unsigned length = plan_.length, parts = access_.row / length;
  SmallVector<wanted_vector, 4> result(
      access_.is_store ? plan_.memory.size() : access_.members.size() * parts, wanted_vector(length));
  for (const auto& [index, member] : enumerate(access_.members))
    for (unsigned lane = 0; lane < access_.row; ++lane) {
      const auto element = unsigned(access_.starts[lane] + member.at - lowest_);
      const unsigned memory = vectors_.at(element / length), part = unsigned(index) * parts + lane / length;
      vector_element& place =
          access_.is_store ? result[memory][element % length] : result[part][lane % length];
      assert(place.vector < 0 && "two lanes would write one element");
      place = access_.is_store ? vector_element{int(part), lane % length}
                               : vector_element{int(memory), element % length};
    }
  return result;
}

void planner::add_costs() {
  const Instruction& access = *access_.leader().access;
  Type* element = access_.type();
  if (element->isPointerTy())
    element = Type::getInt64Ty(element->getContext());
  const unsigned length = plan_.length, together = plan_.together, parts = access_.row / length;
  auto *type = FixedVectorType::get(element, length),
       *wide = FixedVectorType::get(element, length * together);
  plan_.shuffles = shuffle_network(
      access_.is_store ? unsigned(access_.members.size()) * parts : unsigned(plan_.memory.size()), length,
      wanted(), [&](ArrayRef<int> places, bool has_two) {
        return costs_.of_shuffle(*wide, shuffle_network::side_by_side(places, length, together), has_two);
      });
  double each_row = 0;
  for (const access_plan::memory_vector& vector : plan_.memory)
    each_row += costs_.of_consecutive(access, length,
                                      length - unsigned(count(vector.lanes.front(), access_plan::NO_LANE)));
  const double side_by_side =
      plan_.shuffles.cost() + double(plan_.memory.size()) * costs_.of_parts(*type, together);
  plan_.cost = each_row * rows_ + side_by_side * (rows_ / together) +
               double(access_.members.size()) * costs_.of_parts(*wide, rows_ / together * parts);
}

access_plan planner::run() {
  plan_.partners.assign(access_.row, access_plan::NO_LANE);
  find_elements();
  if (!access_.is_store)
    fill_gaps();
  find_vectors();
  add_costs();
  return std::move(plan_);
}

/// With vectors of \p length elements; of rows that are one vector each, as many side by side as is best.
/// Loads: taking vectors apart for stores takes as long as their shuffles.
static access_plan plan_with(const shuffled_access& access, unsigned lanes, const access_costs& costs,
                             unsigned length) {
  access_plan best = planner(access, lanes, costs, length).run();
  const bool may_be_together = access.row == length && !access.is_store;
  const unsigned most = may_be_together ? costs.side_by_side(access.element, length, lanes) : 1;
  for (unsigned together = 2; together <= most; together *= 2)
    if (access_plan plan = planner(access, lanes, costs, length, together).run(); plan.cost < best.cost)
      best = std::move(plan);
  return best;
}

access_plan plan_access(const shuffled_access& access, unsigned lanes, const access_costs& costs) {
  assert(access.starts.size() == access.row && lanes % access.row == 0 && "rows are whole");
  if (access.is_consecutive())
    return planner(access, lanes, costs, access.row).run();
  const unsigned most = costs.most_shuffled(access.element, access.row);
  unsigned length = costs.in_register(access.element, access.row);
  access_plan best = plan_with(access, lanes, costs, length);
  while (length < most) {
    length *= 2;
    if (access_plan wide = plan_with(access, lanes, costs, length); wide.cost < best.cost)
      best = std::move(wide);
  }
  return best;
}

void plan_lanes_apart(shuffled_access& access, unsigned lanes, const access_costs& costs) {
  assert(!access.is_store && "of two lanes that write to one place the last one wins");
  std::int64_t lowest = 0, highest = 0;
  for (const shuffled_access::member& each : access.members) {
    lowest = std::min(lowest, each.at);
    highest = std::max(highest, each.at);
  }
  const unsigned most = std::min(costs.most_shuffled(access.element, lanes),
                                 unsigned(PowerOf2Ceil(std::uint64_t(highest - lowest + 1))));
  shuffled_access best;
  for (unsigned length = 2; length <= most; length *= 2) {
    access.row = length;
    access.apart = std::int64_t(alignTo(std::uint64_t(highest - lowest + 1), most));
    access.starts.clear();
    for (unsigned lane = 0; lane < length; ++lane)
      access.starts.push_back(access.apart * lane);
    access.plan = plan_with(access, lanes, costs, length);
    access.plan.cost += costs.of_addresses(*access.leader().access, lanes);
    if (best.row == 0 || access.plan.cost <= best.plan.cost)
      best = access;
  }
  access = std::move(best);
}

} // namespace falx::jit::simd
