// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/command_view.hpp"
#include "cpu_executor.hpp"

#include <cstddef>
#include <cstdint>

namespace falx {

/// Part of a command's work, cut into chunks that may run in any order and at the same time.
struct cpu_chunks {
  static constexpr std::size_t CONTEXT_BYTES = 256;

  /// Runs chunks \p begin to \p end - 1.
  void (*run)(const void* context, std::size_t begin, std::size_t end) noexcept;
  /// Trivially copyable, at most CONTEXT_BYTES; copied if other threads join in.
  const void* context;
  std::size_t context_size;
  /// Chunks begin to end - 1 are left to do; at most 2^32.
  std::size_t begin;
  std::size_t end;
  /// How many threads are worth waking for it, the calling one among them.
  std::size_t threads;
  /// Unless null, is told what a number of chunks took on the calling thread.
  void (*learn)(const void* context, std::uint64_t nanoseconds, std::size_t chunks) noexcept = nullptr;
};

/// Runs the chunks on the calling thread and others. True if all are done on return; false
/// if some are still running, the last of which is followed by \p done.
///
/// Each processor has a share of successive chunks, the same one in every launch that is cut alike, whose
/// data its caches may still hold. A thread takes pieces from the front of its processor's share, an eighth
/// of what is left at a time, then from the others': so threads that come late, or whose chunks take longer,
/// are relieved of theirs, and all finish within about the time of one chunk.
bool run_chunks(cpu_executor& executor, const cpu_chunks& chunks, command_view& self,
                void (*done)(command_view& self) noexcept) noexcept;

} // namespace falx
