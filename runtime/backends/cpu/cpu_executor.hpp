// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/partitioning.hpp"
#include "backends/wait_help.hpp"
#include "cpu_job.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

namespace falx {

class cpu_thread_pool;

/// The threads of the CPU device: oneTBB's, one for each that the process may use, beside the program's own.
/// A thread that runs out of work lingers for a moment, so that a stream of small commands wakes no thread.
/// Threads that wait for a command join in. It knows nothing of what the jobs do. Lives until the process
/// ends, as threads may still linger in it.
class cpu_executor final : public wait_helper {
public:
  /// \p on_idle is called by each thread that runs out of jobs.
  cpu_executor(std::uint32_t thread_count, void (*on_idle)() noexcept) noexcept;
  /// A part of \p whole: a thread for each of the \p processors, on which they all run. Makes the threads at
  /// once, as no thread that waits will do their work: throws sycl::exception with errc::runtime if there is
  /// none to be had.
  cpu_executor(const cpu_executor& whole, const processor_list& processors);
  ~cpu_executor();
  cpu_executor(const cpu_executor&) = delete;
  cpu_executor& operator=(const cpu_executor&) = delete;

  std::uint32_t thread_count() const noexcept { return threads_; }

  /// Has a thread run the job soon.
  void post(cpu_job& job) noexcept;

  /// Has as many threads as there are jobs run \p jobs soon, each at once if it can be.
  void post_all(std::span<cpu_job* const> jobs) noexcept;

  /// True if a job waits for a thread.
  bool has_ready() const noexcept { return !ready_.is_empty(); }
  /// True on the executor's own threads.
  static bool is_own_thread() noexcept;

  void help(const command_view& until) noexcept override;
  /// True on a thread that helps and has no need to any more: jobs that would go on leave the rest to others.
  static bool is_help_over() noexcept;

private:
  friend class cpu_long_work;
  /// Starts threads, \p most of them, if there are more jobs than threads that look for one.
  void start_missing(std::size_t most) noexcept;
  /// False if all are active.
  bool start_thread() noexcept;
  bool claim_thread() noexcept;
  void work() noexcept;
  void run_jobs() noexcept;
  void run_jobs_until(const command_view& until) noexcept;
  /// Null if no job came for a while.
  cpu_job* linger() noexcept;
  /// Null if none came before \p is_over or the time was.
  template <class Condition>
  cpu_job* look_for_job(Condition is_over, std::uint64_t nanoseconds) noexcept;

  void make_pool() noexcept;

  const std::uint32_t threads_;
  void (*const on_idle_)() noexcept;
  /// How many of these the system lets the process have, once the pool is made.
  std::atomic<std::uint32_t> startable_{threads_};
  cpu_job_list ready_;
  /// The executor's threads that have been started and have not gone back to sleep.
  alignas(64) std::atomic<std::uint32_t> active_{0};
  /// How many threads, the program's among them, compute and will not look for a job soon.
  std::atomic<std::uint32_t> computing_{0};
  /// How many threads will take a job from the list at once: the executor's own that linger or have been
  /// started, and the program's that wait. Each looks after the others' jobs once it has stopped to count.
  alignas(64) std::atomic<std::uint32_t> looking_{0};
  /// The executor's own among those, without the ones just started.
  std::atomic<std::uint32_t> lingering_{0};
  /// Made when a thread is first needed: programs that only look at devices start none.
  std::once_flag pool_made_;
  std::unique_ptr<cpu_thread_pool> pool_;
};

/// While one lives, the thread is at something that takes longer than waking another thread.
class cpu_long_work {
public:
  explicit cpu_long_work(cpu_executor& executor) noexcept;
  ~cpu_long_work();
  cpu_long_work(const cpu_long_work&) = delete;
  cpu_long_work& operator=(const cpu_long_work&) = delete;

private:
  cpu_executor& executor_;
};

} // namespace falx
