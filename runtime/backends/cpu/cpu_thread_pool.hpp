// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <utility>

namespace falx {

/// Threads of oneTBB's beside the program's own, which sleep until they are called.
class cpu_thread_pool {
public:
  /// As many as the system lets the process have of those \p wanted. Null, and a pool without threads, if
  /// that is none. Says on standard error if they are fewer.
  static std::unique_ptr<cpu_thread_pool> make(std::uint32_t wanted) noexcept;

  explicit cpu_thread_pool(std::uint32_t count);

  std::uint32_t size() const noexcept { return size_; }

  /// Has one of the threads call \p function, which no more than size() may be at.
  template <class Function>
  void start(Function function) {
    arena_.enqueue(std::move(function));
  }

private:
  const std::uint32_t size_;
  oneapi::tbb::global_control limit_;
  oneapi::tbb::task_arena arena_;
};

} // namespace falx
