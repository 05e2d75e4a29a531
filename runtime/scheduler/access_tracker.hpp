// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "command.hpp"
#include "falx/handle.hpp"
#include "memory/buffer_boxes.hpp"

#include <cstddef>
#include <vector>

namespace falx {

/// One use of a part of a buffer.
struct tracked_access {
  /// What it is ordered by: the (sub-)buffer.
  byte_box box;
  /// What it reads or writes: a part of \c box.
  byte_box contents;
  bool writes = false;
  /// By a host accessor. The host's accessors do not wait for each other: they see the same memory, and a
  /// thread that holds two of them would wait for itself.
  bool by_host = false;
  handle<command> user;
};

/// Which commands use which part of one buffer, and so what a new one waits for, exactly. Two accesses
/// conflict if their boxes intersect and at least one writes. Not thread-safe: the buffer's mutex guards it.
///
/// Accesses that are complete, or that a later write covers, are dropped, so a chain of whole-buffer
/// accesses is tracked in constant time and space.
class access_tracker {
public:
  /// Appends the commands that \p access conflicts with, each once, unless it is \p access's own.
  void conflicts(const tracked_access& access, std::vector<handle<command>>& dependencies);
  /// Appends the commands that write to a part of \p contents, for a transfer of it. A command counts with
  /// its whole (sub-)buffer, so that one that was dropped is reached through the one that waits for it. A
  /// host accessor counts with its contents alone: its thread may make another for a disjoint range, which
  /// needs the transfer.
  void writers(const byte_box& contents, std::vector<handle<command>>& dependencies);
  /// Adds an access whose command waits for all its conflicts.
  void add(tracked_access access);
  /// Commands that may not be complete, host accessors excepted.
  std::vector<handle<command>> live() const;
  /// Number of accesses that are tracked.
  std::size_t size() const noexcept { return reads_.size() + writes_.size(); }

private:
  static void collect(std::vector<tracked_access>& accesses, const tracked_access& access,
                      std::vector<handle<command>>& dependencies);
  static void drop_complete(std::vector<tracked_access>& accesses);

  std::vector<tracked_access> reads_, writes_;
  /// Numbers of reads and writes at which it is worth looking for complete ones.
  std::size_t drop_reads_at_ = 16, drop_writes_at_ = 16;
};

/// Appends \p dependency unless it is complete or listed.
void add_dependency_once(std::vector<handle<command>>& dependencies, const handle<command>& dependency);

} // namespace falx
