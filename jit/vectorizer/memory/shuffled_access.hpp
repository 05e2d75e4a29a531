// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "shuffle_network.hpp"
#include "vectorizer/cost/access_costs.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace falx::jit::simd {

/// Bytes between elements of one access; differences of less fit all numbers that count elements.
constexpr std::int64_t FARTHEST_LANES = 1 << 20;

/// Which vectors of memory are accessed, and what is shuffled. The same for every row.
struct access_plan {
  static constexpr int NO_LANE = -1;
  /// A vector of consecutive elements.
  struct memory_vector {
    /// Of its elements, counted from the row's lowest one.
    unsigned first = 0;
    /// Lanes that access each element, or NO_LANE: the first one of each, then the second one, … A number r
    /// behind the row's lanes stands for two lanes that both have to be active: r - row and its partner.
    llvm::SmallVector<llvm::SmallVector<int, 16>, 1> lanes;
  };
  /// Elements of each vector.
  unsigned length = 0;
  /// Of loads: rows whose vectors stand side by side in a larger one, which is shuffled as each would be.
  unsigned together = 1;
  llvm::SmallVector<memory_vector, 4> memory;
  /// By lane of a row; or NO_LANE, which one has at least. Elements between those of a lane and of its
  /// partner are read with them.
  llvm::SmallVector<int, 16> partners;
  /// Of loads: from the vectors of memory to those of each member, as many as hold a row. Of stores: back.
  shuffle_network shuffles;
  double cost = 0;

  /// Of all vectors.
  std::size_t elements() const { return memory.size() * length; }
};

/// Loads, or stores, of elements at constant distances from each other: of one access by all lanes, and of
/// several accesses that are done together, loads where the first one is, stores where the last one is.
struct shuffled_access {
  struct member {
    llvm::Instruction* access = nullptr;
    /// In elements from the first one's.
    std::int64_t at = 0;
  };
  /// In the order of the program.
  llvm::SmallVector<member, 4> members;
  /// Bytes of each element.
  std::uint64_t element = 0;
  /// Lanes at constant distances from each other: all, or those of a row of the work-group; or lanes that lie
  /// anywhere (apart), as many as have a vector of memory each for a vector of every member.
  unsigned row = 0;
  /// By lane of a row: its element of any member, in elements from the first lane's.
  llvm::SmallVector<std::int64_t, 16> starts;
  /// Not 0: each lane's elements lie anywhere, and their starts are multiples of this, more than a lane's
  /// elements need, which say which lane's they are.
  std::int64_t apart = 0;
  bool is_store = false;
  access_plan plan;

  /// Where all of them happen.
  const member& leader() const { return is_store ? members.back() : members.front(); }
  /// Of the row's elements, in elements from the first member's and lane's.
  std::int64_t lowest() const;
  /// The row's lanes access one element after the other.
  bool is_consecutive() const;
  /// The type that all members have, or else integers of their size.
  llvm::Type* type() const;
};

/// Decides how \p access is done, and what that costs for all \p lanes lanes.
access_plan plan_access(const shuffled_access& access, unsigned lanes, const access_costs& costs);

/// As plan_access, of \p access whose lanes lie anywhere: decides, too, how many lanes are a row.
void plan_lanes_apart(shuffled_access& access, unsigned lanes, const access_costs& costs);

} // namespace falx::jit::simd
