// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <semaphore>

/// \file
/// Work that nobody waits for yet, on processors that nothing else wants: threads of the process's own with a
/// low priority, which begin something only while a processor is idle. Nothing waits for them to end: when
/// the process ends, what they are at is abandoned.

namespace falx {

/// A piece of such work. Thread-safe.
class idle_task {
public:
  explicit idle_task(std::function<void()> work) : work_(std::move(work)) {}

  /// Or never will.
  bool has_begun() const noexcept { return state_.load(std::memory_order_acquire) != state::waiting; }
  bool is_done() const noexcept { return state_.load(std::memory_order_acquire) == state::done; }
  /// True if it has not begun, and never will.
  bool withdraw() noexcept;
  /// Returns when it is done: true. False once it shows that the task gets no processor, as others want them
  /// all: a thread of usual priority does it sooner. By one thread, for a task that cannot be withdrawn.
  bool wait_while_it_advances() noexcept;

private:
  friend class idle_threads;
  enum class state { waiting, withdrawn, running, done };
  void run() noexcept;

  std::function<void()> work_;
  std::atomic<state> state_{state::waiting};
  /// Of the thread that runs it, and in nanoseconds that and the time when it began.
  std::atomic<clockid_t> clock_{CLOCK_REALTIME};
  std::atomic<std::uint64_t> processor_begin_{0}, begin_{0};
  std::binary_semaphore done_{0};
};

/// Whether the calling thread runs where nothing else wants to, and so may begin a task.
bool is_processor_idle() noexcept;

/// How many threads there may be: one less than the processors that the calling thread may use; 0 where they
/// are not to be had, or where the process may not take the memory (ulimit -v).
std::size_t most_idle_threads() noexcept;

/// Has the task run, in the order of the calls. Does nothing where there is no thread for it, and once the
/// process ends: then the task stays what can be withdrawn.
void run_on_idle_threads(std::shared_ptr<idle_task> task);

} // namespace falx
