// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "idle_threads.hpp"

#include "blocked_signals.hpp"
#include "owned_descriptor.hpp"
#include "process_state.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <fcntl.h>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace falx {
namespace {

/// Each takes as much memory as a compilation does.
constexpr std::size_t MOST_THREADS = 8;
/// LLVM recurses deeply.
constexpr std::size_t STACK_BYTES = std::size_t{8} << 20;

/// A wait looks so often whether the task advances, which it does if it gets most of a processor: on a busy
/// machine these threads get next to nothing, and the one that waits gives up its own share.
constexpr std::chrono::milliseconds LOOK(2);
constexpr double LEAST_SHARE = 0.75;
/// Where a processor is not idle any more, a thread gets a tenth of what others get. It would get less with
/// the lowest priority (SCHED_IDLE), but what it locks then, memory of the process among that, kept others
/// waiting: 246 kernels took 57 instead of 30 s on two processors that 20 other threads wanted.
constexpr int NICENESS = 10;
/// Nanoseconds in which a thread that yields its processor has it again, if it is the only one that wants it.
constexpr std::uint64_t LONGEST_YIELD = 50'000;
/// Where it is not, nothing is begun: it would not end, and what it locks (LLVM's linker, for one) would keep
/// threads waiting that have something to do. So long until the next look.
constexpr std::chrono::milliseconds SHORTEST_PAUSE(2), LONGEST_PAUSE(64);
/// What is shorter tells nothing.
constexpr std::uint64_t SHORTEST_LOOK = 500'000;

std::uint64_t nanoseconds_of(clockid_t clock) noexcept {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

bool has_processor(std::uint64_t processor_time, std::uint64_t time) noexcept {
  return time < SHORTEST_LOOK ||
         static_cast<double>(processor_time) >= LEAST_SHARE * static_cast<double>(time);
}

/// How many threads of the machine run, or want to; none if that is unknown.
unsigned count_runnable() noexcept {
  const owned_descriptor file(::open("/proc/loadavg", O_RDONLY | O_CLOEXEC));
  char text[128] = {};
  unsigned runnable = 0;
  if (!file || ::read(file.get(), text, sizeof(text) - 1) <= 0 ||
      std::sscanf(text, "%*f %*f %*f %u/", &runnable) != 1)
    return 0;
  return runnable;
}

std::size_t count_processors() noexcept {
  cpu_set_t set;
  return ::sched_getaffinity(0, sizeof(set), &set) == 0 ? static_cast<std::size_t>(CPU_COUNT(&set)) : 1;
}

bool has_limited_memory() noexcept {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

} // namespace

// Weak, so that tests can define their own.
[[gnu::weak]] bool is_processor_idle() noexcept {
  const std::uint64_t before = nanoseconds_of(CLOCK_MONOTONIC);
  ::sched_yield();
  return nanoseconds_of(CLOCK_MONOTONIC) - before < LONGEST_YIELD &&
         count_runnable() <= static_cast<unsigned>(::sysconf(_SC_NPROCESSORS_ONLN));
}

bool idle_task::withdraw() noexcept {
  state expected = state::waiting;
  return state_.compare_exchange_strong(expected, state::withdrawn);
}

void idle_task::run() noexcept {
  clockid_t clock = CLOCK_REALTIME;
  ::pthread_getcpuclockid(::pthread_self(), &clock);
  clock_.store(clock, std::memory_order_relaxed);
  processor_begin_.store(nanoseconds_of(clock), std::memory_order_relaxed);
  begin_.store(nanoseconds_of(CLOCK_MONOTONIC), std::memory_order_relaxed);
  state expected = state::waiting;
  if (!state_.compare_exchange_strong(expected, state::running))
    return;
  work_();
  state_.store(state::done, std::memory_order_release);
  done_.release();
}

bool idle_task::wait_while_it_advances() noexcept {
  const clockid_t clock = clock_.load(std::memory_order_relaxed);
  std::uint64_t processor_before = processor_begin_.load(std::memory_order_relaxed);
  std::uint64_t before = begin_.load(std::memory_order_relaxed);
  do {
    const std::uint64_t processor_time = nanoseconds_of(clock), time = nanoseconds_of(CLOCK_MONOTONIC);
    if (!has_processor(processor_time - processor_before, time - before))
      return is_done();
    processor_before = processor_time;
    before = time;
  } while (!done_.try_acquire_for(LOOK));
  return true;
}

/// The threads. They wait for work, never end, and are never joined.
class idle_threads {
public:
  static idle_threads& instance() {
    static idle_threads& threads = *std::make_unique<idle_threads>().release();
    return threads;
  }

  void add(std::shared_ptr<idle_task> task, std::size_t most) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    if (waiting_ >= tasks_.size())
      has_tasks_.notify_one();
    else if (count_ < most && start())
      ++count_;
  }

private:
  bool start() noexcept {
    note_threads();
    pthread_attr_t attributes;
    if (::pthread_attr_init(&attributes) != 0)
      return false;
    ::pthread_attr_setstacksize(&attributes, STACK_BYTES);
    const blocked_signals blocked;
    pthread_t thread{};
    const int error = ::pthread_create(&thread, &attributes, &run_thread, this);
    ::pthread_attr_destroy(&attributes);
    return error == 0;
  }

  static void* run_thread(void* self) noexcept {
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), NICENESS);
    ::pthread_setname_np(::pthread_self(), "falx idle");
    for (;;) {
      const std::shared_ptr<idle_task> task = static_cast<idle_threads*>(self)->next();
      for (auto pause = SHORTEST_PAUSE; !task->has_begun() && !is_processor_idle();
           pause = std::min(2 * pause, LONGEST_PAUSE))
        std::this_thread::sleep_for(pause);
      if (!is_process_ending())
        task->run();
    }
  }

  std::shared_ptr<idle_task> next() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    has_tasks_.wait(lock, [&] { return !tasks_.empty(); });
    --waiting_;
    std::shared_ptr<idle_task> task = std::move(tasks_.front());
    tasks_.pop_front();
    return task;
  }

  std::mutex mutex_; // guards what follows
  std::condition_variable has_tasks_;
  std::deque<std::shared_ptr<idle_task>> tasks_;
  /// Threads, and those of them that wait for work.
  std::size_t count_ = 0, waiting_ = 0;
};

std::size_t most_idle_threads() noexcept {
  static const bool is_limited = has_limited_memory();
  return is_limited ? 0 : std::min(count_processors() - 1, MOST_THREADS);
}

void run_on_idle_threads(std::shared_ptr<idle_task> task) {
  if (const std::size_t most = most_idle_threads(); most != 0 && !is_process_ending())
    idle_threads::instance().add(std::move(task), most);
}

} // namespace falx
