// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_executor.hpp"

#include "backends/command_view.hpp"
#include "cpu_thread_pool.hpp"
#include "process/spinning.hpp"
#include "sycl/exception.hpp"

#include <cassert>
#include <chrono>
#include <thread>
#include <utility>

namespace falx {
namespace {

/// How long an idle thread, or one that waits, looks for work before it sleeps: about what waking it takes.
constexpr std::uint64_t LINGER_NANOSECONDS = 50'000;
/// Small commands are complete before it would be worth telling others that the thread looks for work.
constexpr unsigned SPINS_UNTOLD = 16;
/// Where waiting threads do all the work, each looks for it so often.
constexpr std::chrono::microseconds POLL_INTERVAL{100};

thread_local constinit bool own_thread = false;
/// What the thread helps until; null if it does not help.
thread_local constinit const command_view* end_of_help = nullptr;

/// While one lives, the thread helps.
class help_scope {
public:
  explicit help_scope(const command_view& until) noexcept : outer_(std::exchange(end_of_help, &until)) {}
  ~help_scope() { end_of_help = outer_; }
  help_scope(const help_scope&) = delete;
  help_scope& operator=(const help_scope&) = delete;

private:
  const command_view* const outer_;
};

} // namespace

cpu_executor::cpu_executor(std::uint32_t thread_count, void (*on_idle)() noexcept) noexcept
    : threads_(thread_count), on_idle_(on_idle) {}

cpu_executor::cpu_executor(const cpu_executor& whole, const processor_list& processors)
    : threads_(static_cast<std::uint32_t>(processors.size())), on_idle_(whole.on_idle_) {
  std::call_once(pool_made_, [&] { pool_ = cpu_thread_pool::make_pinned(processors, whole.threads_); });
  if (pool_ == nullptr)
    throw sycl::exception(sycl::make_error_code(sycl::errc::runtime),
                          "the system lets the process have no thread for a sub-device of the CPU; raise its "
                          "limits of processes (ulimit -u, or the container's) or of memory (ulimit -v)");
  startable_.store(pool_->size(), std::memory_order_relaxed);
}

cpu_executor::~cpu_executor() = default;

void cpu_executor::post(cpu_job& job) noexcept {
  ready_.push(job);
  start_missing(1);
}

void cpu_executor::post_all(std::span<cpu_job* const> jobs) noexcept {
  for (cpu_job* job : jobs)
    ready_.push(*job);
  start_missing(jobs.size());
}

void cpu_executor::start_missing(std::size_t most) noexcept {
  // A thread that is looking sees the jobs: either it looks again after this load, or the load sees that it
  // has stopped.
  while (most-- > 0 && ready_.size() > looking_.load(std::memory_order_seq_cst))
    if (!start_thread())
      return;
}

bool cpu_executor::claim_thread() noexcept {
  std::uint32_t active = active_.load(std::memory_order_seq_cst);
  while (active < startable_.load(std::memory_order_relaxed))
    if (active_.compare_exchange_weak(active, active + 1, std::memory_order_seq_cst))
      return true;
  return false;
}

bool cpu_executor::start_thread() noexcept {
  if (!claim_thread())
    return false;
  looking_.fetch_add(1, std::memory_order_seq_cst);
  std::call_once(pool_made_, [this] { make_pool(); });
  if (pool_ == nullptr) {
    active_.fetch_sub(1, std::memory_order_seq_cst);
    looking_.fetch_sub(1, std::memory_order_seq_cst);
    return false;
  }
  pool_->start([this] { work(); });
  return true;
}

void cpu_executor::make_pool() noexcept {
  pool_ = cpu_thread_pool::make(threads_);
  startable_.store(pool_ != nullptr ? pool_->size() : 0, std::memory_order_relaxed);
  if (pool_ == nullptr)
    set_waiting_threads_do_all();
}

cpu_long_work::cpu_long_work(cpu_executor& executor) noexcept : executor_(executor) {
  executor.computing_.fetch_add(1, std::memory_order_relaxed);
}

cpu_long_work::~cpu_long_work() {
  [[maybe_unused]] const std::uint32_t before = executor_.computing_.fetch_sub(1, std::memory_order_relaxed);
  assert(before != 0 && "more threads stop to compute than began");
}

bool cpu_executor::is_own_thread() noexcept {
  return own_thread;
}

void cpu_executor::work() noexcept {
  own_thread = true; // oneTBB may lend the thread to others, so it is set back
  run_jobs();
  on_idle_();
  own_thread = false;
}

void cpu_executor::run_jobs() noexcept {
  cpu_job* job = ready_.pop();
  [[maybe_unused]] const std::uint32_t before = looking_.fetch_sub(1, std::memory_order_seq_cst);
  assert(before != 0 && "a thread looks for a job that was not started");
  for (;;) {
    for (; job != nullptr; job = ready_.pop()) {
      // Posters rely on one thread that comes, which takes only one job: pass the others on.
      start_missing(1);
      job->run(*job);
    }
    job = linger();
    if (job != nullptr)
      continue;
    [[maybe_unused]] const std::uint32_t active = active_.fetch_sub(1, std::memory_order_seq_cst);
    assert(active != 0 && active <= threads_ && "more threads are active than were claimed");
    // A job may have been posted while this thread still counted as active.
    if (ready_.is_empty() || !claim_thread())
      return;
    job = ready_.pop();
  }
}

template <class Condition>
cpu_job* cpu_executor::look_for_job(Condition is_over, std::uint64_t nanoseconds) noexcept {
  cpu_job* job = nullptr;
  const auto is_done = [&] { return is_over() || (job = ready_.pop()) != nullptr; };
  for (unsigned spins = 0; spins < SPINS_UNTOLD; ++spins) {
    if (is_done())
      return job;
    spin_pause();
  }
  looking_.fetch_add(1, std::memory_order_seq_cst);
  spin_until(is_done, nanoseconds);
  looking_.fetch_sub(1, std::memory_order_seq_cst);
  return job;
}

cpu_job* cpu_executor::linger() noexcept {
  // No thread should spin on a processor that another thread needs to compute.
  if (computing_.load(std::memory_order_relaxed) + looking_.load(std::memory_order_relaxed) >= threads_)
    return nullptr;
  // One thread fewer than there are: the program has a thread to run, too.
  const std::uint32_t allowed = threads_ > 1 ? threads_ - 1 : 1;
  cpu_job* job = nullptr;
  if (lingering_.fetch_add(1, std::memory_order_relaxed) < allowed)
    job = look_for_job([] { return false; }, LINGER_NANOSECONDS);
  lingering_.fetch_sub(1, std::memory_order_relaxed);
  return job;
}

void cpu_executor::help(const command_view& until) noexcept {
  run_jobs_until(until);
  on_idle_();
}

bool cpu_executor::is_help_over() noexcept {
  return end_of_help != nullptr && end_of_help->is_complete();
}

void cpu_executor::run_jobs_until(const command_view& until) noexcept {
  const help_scope helping(until);
  const auto is_over = [&] { return until.is_complete() || until.completes_on_request(); };
  cpu_job* job = ready_.pop();
  do {
    for (; job != nullptr; job = ready_.pop()) {
      job->run(*job);
      if (is_over())
        return;
    }
    job = look_for_job(is_over, LINGER_NANOSECONDS);
    start_missing(1); // for a job whose poster relied on this thread
    if (job == nullptr && do_waiting_threads_do_all() && !is_over()) [[unlikely]]
      std::this_thread::sleep_for(POLL_INTERVAL);
  } while (job != nullptr || (do_waiting_threads_do_all() && !is_over()));
}

} // namespace falx
