// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/partitioning.hpp"

#include <cstdint>
#include <memory>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <optional>
#include <utility>

namespace falx {

/// Has oneTBB's threads run on some processors alone while they are in an arena.
class thread_pinning final : public oneapi::tbb::task_scheduler_observer {
public:
  thread_pinning(oneapi::tbb::task_arena& arena, processor_list processors);
  ~thread_pinning() override { observe(false); }

  void on_scheduler_entry(bool is_worker) override;
  void on_scheduler_exit(bool is_worker) override;

private:
  const processor_list processors_;
};

/// Threads of oneTBB's beside the program's own, which sleep until they are called.
class cpu_thread_pool {
public:
  /// As many as the system lets the process have of those \p wanted, which run on the \p processors alone if
  /// there are any. Null if that is none. Says on standard error if they are fewer.
  static std::unique_ptr<cpu_thread_pool> make(std::uint32_t wanted,
                                               const processor_list& processors = {}) noexcept;

  cpu_thread_pool(std::uint32_t count, const processor_list& processors);

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
  std::optional<thread_pinning> pinning_;
};

} // namespace falx
