// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the CPU device has of its own on top of oneTBB, beside oneTBB's means to the same end: how threads are
// handed jobs, and where commands' memory comes from. Prints nanoseconds, the least of several runs in turns,
// as other programs only ever add. docs/decisions has what follows from it. Takes a few seconds.
#include "backends/cpu/cpu_chunks.hpp"
#include "backends/cpu/cpu_executor.hpp"
#include "backends/cpu/cpu_topology.hpp"
#include "process/spinning.hpp"
#include "scheduler/command.hpp"
#include "scheduler/command_memory.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <functional>
#include <memory>
#include <new>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/concurrent_queue.h>
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/scalable_allocator.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace falx;

std::uint32_t thread_count() {
  return static_cast<std::uint32_t>(usable_processors().size());
}

constexpr int BATCH = 1000;
constexpr int RUNS = 40;

struct row {
  std::string name;
  std::function<void()> run;
  /// What one call of run counts as.
  int operations = BATCH;
};

void print(const char* title, const std::vector<row>& rows) {
  std::vector<double> least(rows.size(), 1e30);
  for (int run = 0; run < RUNS; ++run)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint64_t start = now();
      rows[i].run();
      least[i] = std::min(least[i], static_cast<double>(now() - start) / rows[i].operations);
    }
  std::printf("\n%-66s%10s\n", title, "ns");
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::printf("  %-64s%10.1f\n", rows[i].name.c_str(), least[i]);
}

/// As the runtime waits for what its own thread does not run: look for a while, then sleep.
void wait_for(std::atomic<bool>& flag) {
  if (!spin_until([&] { return flag.load(std::memory_order_acquire); }, 20'000))
    flag.wait(false, std::memory_order_acquire);
}
void set(std::atomic<bool>& flag) {
  flag.store(true, std::memory_order_release);
  flag.notify_one();
}

cpu_executor& executor() {
  static cpu_executor& made = []() -> cpu_executor& {
    cpu_executor& executor = *std::make_unique<cpu_executor>(thread_count(), []() noexcept {}).release();
    set_wait_helper(executor);
    return executor;
  }();
  return made;
}
oneapi::tbb::task_arena& arena() {
  static oneapi::tbb::task_arena made(static_cast<int>(thread_count()), 0);
  return made;
}

/// A job of the executor that completes a command.
struct completing_job : cpu_job {
  explicit completing_job(command& the_command) noexcept
      : cpu_job([](cpu_job& job) noexcept { static_cast<completing_job&>(job).self.complete(); }),
        self(the_command) {}
  command& self;
};

void round_trips() {
  print("a job and the wait for it",
        {{"cpu_executor::post, command::wait, which helps",
          [] {
            for (int i = 0; i < BATCH; ++i) {
              const handle<command> done = command::make_manual();
              completing_job job(*done);
              executor().post(job);
              done->wait();
            }
          }},
         {"task_group::run, task_group::wait, which helps",
          [] {
            oneapi::tbb::task_group group;
            for (int i = 0; i < BATCH; ++i) {
              const handle<command> done = command::make_manual();
              group.run([&] { done->complete(); });
              group.wait();
            }
          }},
         {"task_arena::enqueue, look for 20 µs, sleep", [] {
            for (int i = 0; i < BATCH; ++i) {
              static std::atomic<bool> done; // to which the task's notify_one may come late
              done = false;
              arena().enqueue([&] { set(done); });
              wait_for(done);
            }
          }}});
}

/// In-order work of which one thread at a time runs what has arrived, as cpu_strand's. \p Post has a thread
/// call drain.
template <class Post>
class strand {
public:
  explicit strand(Post post) : post_(post) {}
  struct item {
    item* next;
  };
  void push(item& pushed) {
    item* before = arrived_.load(std::memory_order_relaxed);
    do
      pushed.next = before == idle() ? nullptr : before;
    while (!arrived_.compare_exchange_weak(before, &pushed, std::memory_order_acq_rel));
    if (before == idle())
      post_(*this);
  }
  void drain() {
    for (;;) {
      item* none = nullptr;
      for (unsigned spins = 0; spins < 100 && arrived_.load(std::memory_order_relaxed) == nullptr; ++spins)
        spin_pause();
      if (arrived_.compare_exchange_strong(none, idle(), std::memory_order_acq_rel))
        return;
      for (item* each = arrived_.exchange(nullptr, std::memory_order_acquire); each != nullptr;) {
        item* const next = each->next; // the item may be gone once it is counted
        done.fetch_add(1, std::memory_order_release);
        each = next;
      }
    }
  }
  std::atomic<int> done{0};

private:
  static item* idle() { return reinterpret_cast<item*>(std::uintptr_t{1}); }
  std::atomic<item*> arrived_{idle()};
  Post post_;
};

template <class Post>
void stream(Post post) {
  static std::vector<typename strand<Post>::item> items(BATCH);
  static strand<Post> order(post);
  order.done = 0;
  for (auto& item : items)
    order.push(item);
  while (order.done.load(std::memory_order_acquire) != BATCH)
    spin_pause();
}

void streams() {
  struct by_executor {
    void operator()(strand<by_executor>& order) const {
      static strand<by_executor>& only = order;
      static cpu_job job([](cpu_job&) noexcept { only.drain(); });
      executor().post(job);
    }
  };
  struct by_arena {
    void operator()(strand<by_arena>& order) const {
      arena().enqueue([&order] { order.drain(); });
    }
  };
  print("a job of a stream in order, with one wait at the end",
        {{"a strand on cpu_executor::post", [] { stream(by_executor()); }},
         {"the same strand on task_arena::enqueue", [] { stream(by_arena()); }},
         {"flow::function_node, serial", [] {
            static oneapi::tbb::flow::graph graph;
            static std::atomic<int> done{0};
            static oneapi::tbb::flow::function_node<int, oneapi::tbb::flow::continue_msg> node(
                graph, oneapi::tbb::flow::serial, [](int) { done.fetch_add(1, std::memory_order_relaxed); });
            for (int i = 0; i < BATCH; ++i)
              node.try_put(i);
            graph.wait_for_all();
          }}});
}

void shared_work() {
  // Chunks of about 1 µs: 64 of them are what a launch is cut into.
  static constexpr auto work = [](const void*, std::size_t begin, std::size_t end) noexcept {
    for (std::size_t i = begin; i < end; ++i)
      for (int step = 0; step < 20; ++step)
        spin_pause();
  };
  constexpr int LAUNCHES = 100;
  static constexpr std::size_t CHUNKS = 64;
  print("a launch of 64 chunks of about a microsecond",
        {{"one thread",
          [] {
            for (int i = 0; i < LAUNCHES; ++i)
              work(nullptr, 0, CHUNKS);
          },
          LAUNCHES},
         {"run_chunks on cpu_executor",
          [] {
            for (int i = 0; i < LAUNCHES; ++i) {
              const handle<command> self = command::make_manual();
              const int context = 0;
              if (run_chunks(executor(), {work, &context, sizeof context, 0, CHUNKS, CHUNKS}, *self,
                             [](command_view& done) noexcept { done.complete(); }))
                self->complete();
              self->wait();
            }
          },
          LAUNCHES},
         {"parallel_for",
          [] {
            for (int i = 0; i < LAUNCHES; ++i)
              oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, CHUNKS),
                                        [](const auto& part) { work(nullptr, part.begin(), part.end()); });
          },
          LAUNCHES}});
}

constexpr std::align_val_t CACHE_LINE{64};

/// A thread that does what it is given, while the giver waits.
class other_thread {
public:
  void operator()(std::function<void()> work) {
    work_ = std::move(work);
    is_done_ = false;
    set(is_given_);
    wait_for(is_done_);
  }
  static other_thread& instance() {
    static other_thread& thread = *std::make_unique<other_thread>().release(); // lives as long as the process
    return thread;
  }

private:
  void run() {
    for (;;) {
      wait_for(is_given_);
      is_given_ = false;
      work_();
      set(is_done_);
    }
  }
  std::function<void()> work_;
  std::atomic<bool> is_given_{false}, is_done_{false};
  std::thread thread_{[this] { run(); }};
};

/// \p allocate and \p free by one thread, one block after the other, or, if \p across, by one each, many
/// blocks at a time, as when a stream of commands is submitted faster than it is completed.
template <class Allocate, class Free>
std::function<void()> allocations(Allocate allocate, Free free, bool across) {
  const auto take = [=] {
    void* const block = allocate();
    *static_cast<volatile char*>(block) = 1;
    return block;
  };
  if (!across)
    return [=] {
      for (int i = 0; i < BATCH; ++i)
        free(take());
    };
  return [=] {
    std::vector<void*> blocks(BATCH);
    for (void*& block : blocks)
      block = take();
    other_thread::instance()([&] {
      for (void* const block : blocks)
        free(block);
    });
  };
}

void memory() {
  const auto own = [] { return recycled_memory<SMALL_BLOCK>::allocate(); };
  const auto own_free = [](void* block) { recycled_memory<SMALL_BLOCK>::free(block); };
  const auto plain = [] { return ::operator new(SMALL_BLOCK, CACHE_LINE); };
  const auto plain_free = [](void* block) { ::operator delete(block, CACHE_LINE); };
  const auto scalable = [] { return scalable_aligned_malloc(SMALL_BLOCK, 64); };
  const auto scalable_free = [](void* block) { scalable_aligned_free(block); };
  static oneapi::tbb::concurrent_queue<void*> free_blocks;
  const auto queued = [=] {
    void* block = nullptr;
    return free_blocks.try_pop(block) ? block : plain();
  };
  const auto queued_free = [](void* block) { free_blocks.push(block); };
  for (const bool across : {false, true})
    print(across ? "a command's block, a thousand allocated here and then freed there"
                 : "a command's block, allocated and freed by one thread",
          {{"recycled_memory", allocations(own, own_free, across)},
           {"operator new", allocations(plain, plain_free, across)},
           {"scalable_aligned_malloc", allocations(scalable, scalable_free, across)},
           {"concurrent_queue of freed blocks", allocations(queued, queued_free, across)}});
}

void job_lists() {
  static cpu_job_list own;
  static oneapi::tbb::concurrent_queue<cpu_job*> queue;
  static cpu_job job([](cpu_job&) noexcept {});
  print("a job through the list of ready jobs, by one thread", {{"cpu_job_list",
                                                                 [] {
                                                                   for (int i = 0; i < BATCH; ++i) {
                                                                     own.push(job);
                                                                     own.pop();
                                                                   }
                                                                 }},
                                                                {"concurrent_queue", [] {
                                                                   for (int i = 0; i < BATCH; ++i) {
                                                                     queue.push(&job);
                                                                     cpu_job* popped = nullptr;
                                                                     queue.try_pop(popped);
                                                                   }
                                                                 }}});
  constexpr int MANY = 20 * BATCH; // beside which starting a thread is little
  static constexpr auto twice = [](auto&& work) {
    std::thread other(work);
    work();
    other.join();
  };
  print("the same by two threads at once",
        {{"cpu_job_list",
          [] {
            static std::array<cpu_job, 2> jobs{job, job};
            static std::atomic<std::size_t> turn{0};
            twice([] {
              cpu_job* mine = &jobs[turn++ % 2];
              for (int i = 0; i < MANY; ++i) {
                if (mine != nullptr)
                  own.push(*mine);
                mine = own.pop();
              }
              if (mine == nullptr) // the other thread has it, and gives it back
                while ((mine = own.pop()) == nullptr)
                  spin_pause();
            });
          },
          2 * MANY},
         {"concurrent_queue",
          [] {
            twice([] {
              cpu_job* mine = &job;
              for (int i = 0; i < MANY; ++i) {
                if (mine != nullptr)
                  queue.push(mine);
                if (!queue.try_pop(mine))
                  mine = nullptr;
              }
              if (mine == nullptr)
                while (!queue.try_pop(mine))
                  spin_pause();
            });
          },
          2 * MANY}});
  print("a look at the list when it is empty", {{"cpu_job_list",
                                                 [] {
                                                   for (int i = 0; i < BATCH; ++i)
                                                     own.pop();
                                                 }},
                                                {"concurrent_queue", [] {
                                                   cpu_job* popped = nullptr;
                                                   for (int i = 0; i < BATCH; ++i)
                                                     queue.try_pop(popped);
                                                 }}});
}

} // namespace

int main() {
  // oneTBB counts the program's own thread among those allowed.
  const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                          thread_count() + 1);
  std::printf("%u threads\n", thread_count());
  round_trips();
  streams();
  shared_work();
  memory();
  job_lists();
}
