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
  /// As many as the system lets the process have of those \p wanted. Null if that is none. Says on standard
  /// error if they are fewer.
  static std::unique_ptr<cpu_thread_pool> make(std::uint32_t wanted) noexcept {
    return make(wanted, wanted, {});
  }
  /// One for each of the \p processors, on which alone they run, for a part of a CPU of which \p whole
  /// threads may compute at a time.
  static std::unique_ptr<cpu_thread_pool> make_pinned(const processor_list& processors,
                                                      std::uint32_t whole) noexcept {
    return make(static_cast<std::uint32_t>(processors.size()), whole, processors);
  }

  /// \p count threads of those of all pools, of which \p limit may run at a time.
  cpu_thread_pool(std::uint32_t count, std::uint32_t limit, const processor_list& processors);

  std::uint32_t size() const noexcept { return size_; }

  /// Has one of the threads call \p function, which no more than size() may be at.
  template <class Function>
  void start(Function function) {
    arena_.enqueue(std::move(function));
  }

private:
  static std::unique_ptr<cpu_thread_pool> make(std::uint32_t wanted, std::uint32_t whole,
                                               const processor_list& processors) noexcept;

  const std::uint32_t size_;
  oneapi::tbb::global_control limit_;
  oneapi::tbb::task_arena arena_;
  std::optional<thread_pinning> pinning_;
};

} // namespace falx
