// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_executor.hpp"

#include "cpu_description.hpp"
#include "cpu_device.hpp"
#include "cpu_strand.hpp"
#include "cpu_worker_memory.hpp"
#include "process/process_state.hpp"
#include "scheduler/command_work.hpp"
#include "scheduler/host_task.hpp"
#include "scheduler/queue_state.hpp"
#include "scheduler/wait_help.hpp"

#include <cassert>
#include <chrono>
#include <cstdio>
#include <exception>
#include <latch>
#include <new>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <system_error>
#include <thread>
#include <vector>

namespace falx {
namespace {

/// How long an idle thread, or one that waits, looks for work before it sleeps: about what waking it takes.
constexpr std::uint64_t LINGER_NANOSECONDS = 50'000;
/// Small commands are complete before it would be worth telling others that the thread looks for work.
constexpr unsigned SPINS_UNTOLD = 16;
/// A holder of the list's lock that loses its processor keeps others for a time slice, unless they yield.
constexpr unsigned SPINS_BEFORE_YIELD = 256;
/// Where waiting threads do all the work, each looks for it so often.
constexpr std::chrono::microseconds POLL_INTERVAL{100};

void help_waiting_thread(const command& until) noexcept {
  cpu_executor::instance().help(until);
}

} // namespace

void cpu_job_list::lock() noexcept {
  for (unsigned spins = 0; locked_.exchange(true, std::memory_order_acquire);)
    while (locked_.load(std::memory_order_relaxed))
      if (++spins % SPINS_BEFORE_YIELD == 0)
        std::this_thread::yield();
      else
        spin_pause();
}

void cpu_job_list::push(cpu_job& job) noexcept {
  job.next = nullptr;
  publish(&job);
  lock();
  assert((first_ == nullptr) == (last_ == nullptr) && &job != last_ && "a job is in the list once");
  (last_ != nullptr ? last_->next : first_) = &job;
  last_ = &job;
  size_.fetch_add(1, std::memory_order_seq_cst);
  unlock();
}

cpu_job* cpu_job_list::pop() noexcept {
  if (size_.load(std::memory_order_relaxed) == 0)
    return nullptr;
  lock();
  cpu_job* const job = first_;
  if (job != nullptr) {
    first_ = job->next;
    if (first_ == nullptr)
      last_ = nullptr;
    [[maybe_unused]] const std::uint32_t before = size_.fetch_sub(1, std::memory_order_relaxed);
    assert((before == 1) == (first_ == nullptr) && "the list has not as many jobs as were counted");
  }
  unlock();
  if (job != nullptr)
    observe(job);
  return job;
}

/// oneTBB counts the program's own thread among those allowed, and starts one thread less.
struct cpu_executor::threads {
  explicit threads(std::uint32_t count)
      : limit(oneapi::tbb::global_control::max_allowed_parallelism, count + 1),
        arena(static_cast<int>(count), 0) {
    arena.initialize();
  }
  oneapi::tbb::global_control limit;
  oneapi::tbb::task_arena arena;
};

cpu_executor::cpu_executor() : threads_(cpu_thread_count()) {}

cpu_executor::~cpu_executor() = default;

cpu_executor& cpu_executor::instance() {
  static cpu_executor* const executor = [] {
    auto* const made = new cpu_executor;
    set_wait_helper(&help_waiting_thread);
    return made;
  }();
  return *executor;
}

std::shared_ptr<cpu_executor> make_cpu_executor() {
  return {&cpu_executor::instance(), [](cpu_executor*) {}};
}

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
  // Whoever is looking sees the jobs: either it looks again after this load, or the load sees that it has
  // stopped.
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
  pool_->arena.enqueue([this] { work(); });
  return true;
}

namespace {

/// How many of \p wanted threads the system lets the process have at once.
std::uint32_t count_startable_threads(std::uint32_t wanted) {
  std::vector<std::thread> started;
  started.reserve(wanted);
  std::latch all_are_started(1);
  try {
    while (started.size() < wanted)
      started.emplace_back([&] { all_are_started.wait(); });
  } catch (const std::system_error&) {
  }
  all_are_started.count_down();
  for (std::thread& thread : started)
    thread.join();
  return static_cast<std::uint32_t>(started.size());
}

} // namespace

void cpu_executor::make_pool() noexcept {
  note_threads();
  // oneTBB ends the process if one of its threads cannot be started.
  std::uint32_t count = 0;
  try {
    count = count_startable_threads(threads_);
    if (count < threads_) {
      // One is left to others, and threads that have ended count for a moment more.
      count -= count != 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    if (count != 0)
      pool_ = std::make_unique<threads>(count);
  } catch (const std::exception&) { // no memory for them
    count = 0;
  }
  if (count < threads_)
    std::fprintf(
        stderr,
        "falx: warning: the CPU device computes with %u threads instead of %u, as the system lets the "
        "process have no more (limits of processes, ulimit -u or the container's, or of memory, "
        "ulimit -v)\n",
        count == 0 ? 1 : count, threads_);
  startable_.store(count, std::memory_order_relaxed);
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

namespace {
thread_local constinit bool own_thread = false;
} // namespace

bool cpu_executor::is_own_thread() noexcept {
  return own_thread;
}

void cpu_executor::work() noexcept {
  own_thread = true; // oneTBB may lend the thread to others, so it is set back
  run_jobs();
  give_back_worker_memory();
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
  // Nobody should spin on a processor that another thread needs to compute.
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

void cpu_executor::help(const command& until) noexcept {
  run_jobs_until(until);
  give_back_worker_memory();
}

void cpu_executor::run_jobs_until(const command& until) noexcept {
  const strand_limit limit(until);
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

namespace {

/// A command that runs by itself; lives in the words that a command keeps for its backend.
struct command_job : cpu_job {
  explicit command_job(command& the_command) noexcept : cpu_job(&start), self(the_command) {}
  static void start(cpu_job& job) noexcept {
    command& self = static_cast<command_job&>(job).self;
    if (run_work(cpu_executor::instance(), self, [](command& done) noexcept { done.complete(); }))
      self.complete();
  }
  command& self;
};
static_assert(sizeof(command_job) <= sizeof(command::backend_words));

void complete_host_task(command& self, std::exception_ptr error) noexcept {
  self.complete(std::move(error));
}

} // namespace

void cpu_executor::run_out_of_order(command& self) noexcept {
  const operation& what = self.work()->what;
  if (const auto* task = std::get_if<host_operation>(&what)) {
    run_host_task(self, *task, &complete_host_task);
  } else if (std::holds_alternative<empty_operation>(what)) {
    self.mark_running();
    self.complete();
  } else {
    post(*new (self.backend_words) command_job(self));
  }
}

void cpu_executor::run_in_order(command& self) {
  queue_state& queue = *self.queue();
  assert(queue.is_in_order() && "commands of other queues have no order");
  backend_queue* strand = queue.native();
  if (strand == nullptr)
    strand = &queue.set_native(std::make_unique<cpu_strand>(*this, queue));
  static_cast<cpu_strand*>(strand)->push(self);
}

void cpu_device::enqueue(command& self, const operation&, std::span<const handle<command>>) {
  if (self.queue()->is_in_order())
    executor_->run_in_order(self);
  else
    executor_->run_out_of_order(self);
}

bool cpu_device::can_order_after(const command&) const noexcept {
  // Nothing to win: what the host waits for here are counters, too.
  return false;
}

} // namespace falx
