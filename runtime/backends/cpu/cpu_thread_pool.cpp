// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_thread_pool.hpp"

#include "cpu_topology.hpp"
#include "process/process_state.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <latch>
#include <system_error>
#include <thread>
#include <vector>

namespace falx {
namespace {

/// Where the calling thread ran before it was pinned.
thread_local processor_list before_pinning;

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

thread_pinning::thread_pinning(oneapi::tbb::task_arena& arena, processor_list processors)
    : task_scheduler_observer(arena), processors_(std::move(processors)) {
  observe(true);
}

// oneTBB lends its threads to all arenas in turn, so each is set free again. The processors are the process's
// own: the system refuses only what has been taken from it since, and then the thread runs where it may.
void thread_pinning::on_scheduler_entry(bool) {
  before_pinning = usable_processors();
  run_thread_on(processors_);
}

void thread_pinning::on_scheduler_exit(bool) {
  run_thread_on(before_pinning);
}

// oneTBB counts the program's own thread among those allowed, and starts one thread less. The least limit of
// all pools counts.
cpu_thread_pool::cpu_thread_pool(std::uint32_t count, std::uint32_t limit, const processor_list& processors)
    : size_(count), limit_(oneapi::tbb::global_control::max_allowed_parallelism, limit + 1),
      arena_(static_cast<int>(count), 0) {
  arena_.initialize();
  if (!processors.empty())
    pinning_.emplace(arena_, processors);
}

std::unique_ptr<cpu_thread_pool> cpu_thread_pool::make(std::uint32_t wanted, std::uint32_t whole,
                                                       const processor_list& processors) noexcept {
  note_threads();
  // oneTBB ends the process if one of its threads cannot be started.
  std::unique_ptr<cpu_thread_pool> pool;
  try {
    std::uint32_t limit = count_startable_threads(whole);
    if (limit < whole) {
      // One is left to others, and threads that have ended count for a moment more.
      limit -= limit != 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    if (limit != 0)
      pool = std::make_unique<cpu_thread_pool>(std::min(wanted, limit), limit, processors);
  } catch (const std::exception&) { // no memory for them
  }
  if (pool == nullptr || pool->size() < wanted)
    std::fprintf(
        stderr,
        "falx: warning: the CPU device computes with %u threads instead of %u, as the system lets the "
        "process have no more (limits of processes, ulimit -u or the container's, or of memory, "
        "ulimit -v)\n",
        pool == nullptr ? 1 : pool->size(), wanted);
  return pool;
}

} // namespace falx
