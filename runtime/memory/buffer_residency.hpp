// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "buffer_boxes.hpp"
#include "falx/handle.hpp"
#include "scheduler/command.hpp"

#include <cstddef>
#include <vector>

namespace falx {

/// Which parts of a buffer are current in which memory. Memories are numbered; 0 is the host's. Not
/// thread-safe: the buffer's mutex guards it.
class buffer_residency {
public:
  /// A current part. The producer is the transfer that brings it, null if a user's command wrote it, which
  /// the access tracker knows.
  struct part {
    byte_box box;
    handle<command> producer;
  };
  /// A copy that has to be made, when the producers of what it reads are complete: earlier copies of the same
  /// plan may be among them.
  struct transfer {
    std::size_t from = 0, to = 0;
    byte_box box;
  };

  /// Adds a memory where nothing is current and gives its number. \p reached says of each memory so far
  /// whether one copy moves data between it and this one; of the host's that is always so.
  std::size_t add_memory(std::vector<bool> reached = {});
  std::size_t memories() const noexcept { return current_.size(); }

  /// What must be copied so that \p box is current in \p to, in order. Parts come from another device, if one
  /// that has them reaches \p to, else from the host, where they come first if it does not have them. Parts
  /// that are current nowhere have no defined contents and need no copy. What failed transfers should have
  /// brought is missing.
  std::vector<transfer> missing(std::size_t to, const byte_box& box);
  /// Appends the transfers that bring parts of \p box to \p memory, and those that failed to.
  void producers(std::size_t memory, const byte_box& box, std::vector<handle<command>>& result) const;

  /// A copy by \p producer makes \p box current in \p memory, and leaves it current elsewhere.
  void copied(std::size_t memory, const byte_box& box, handle<command> producer);
  /// A write makes \p box current in \p memory alone.
  void written(std::size_t memory, const byte_box& box);

  /// Bytes of the copies that make \p box current in memory \p to, or in a new one if there is no such
  /// memory.
  std::size_t distance(std::size_t to, const byte_box& box) const;

  const std::vector<part>& current(std::size_t memory) const noexcept { return current_[memory]; }

private:
  using parts = std::vector<part>;
  static bool is_lost(const part& some) noexcept;
  static void remove(parts& from, const byte_box& box);
  static void insert(parts& into, part added);
  static std::vector<byte_box> absent(const parts& from, const byte_box& box);
  bool is_reached(std::size_t from, std::size_t to) const noexcept;
  void bring_directly(std::size_t to, const byte_box& wanted, std::vector<transfer>& result) const;
  void bring_to_host(std::size_t except, const byte_box& wanted, std::vector<transfer>& result) const;
  void bring_from_host(std::size_t to, const byte_box& wanted, std::vector<transfer>& result) const;

  std::vector<parts> current_{1};
  /// By memory, of those with smaller numbers.
  std::vector<std::vector<bool>> reached_{1};
};

} // namespace falx
