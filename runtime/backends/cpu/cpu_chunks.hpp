// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/cpu/cpu_executor.hpp"

#include <cstddef>

namespace falx {

/// Part of a command's work, cut into chunks that may run in any order and at the same time.
struct cpu_chunks {
  static constexpr std::size_t CONTEXT_BYTES = 256;

  void (*run)(const void* context, std::size_t chunk) noexcept;
  /// Trivially copyable, at most CONTEXT_BYTES; copied if other threads join in.
  const void* context;
  std::size_t context_size;
  /// Chunks begin to end - 1 are left to do.
  std::size_t begin;
  std::size_t end;
};

/// Runs the chunks on the calling thread and all others that are free. True if all are done on return; false
/// if some are still running, the last of which is followed by \p done. If \p nanoseconds_per_chunk is given,
/// it becomes what a chunk took on the calling thread, or stays as it is if that ran none.
bool run_chunks(cpu_executor& executor, const cpu_chunks& chunks, command& self,
                void (*done)(command& self) noexcept, double* nanoseconds_per_chunk = nullptr) noexcept;

} // namespace falx
