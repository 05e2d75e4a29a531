// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_task.hpp"

#include "backends/backend.hpp"
#include "command.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace falx {
namespace {

struct ready_task {
  command* self;
  const host_operation* task;
  void (*done)(command&, std::exception_ptr) noexcept;
};

/// Threads that run host tasks: as many as there are tasks that run at a time, up to a limit that tasks which
/// wait for commands do not count towards.
class host_threads {
public:
  static host_threads& instance() {
    static host_threads threads;
    return threads;
  }

  ~host_threads() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_)
      thread.join();
  }

  void post(const ready_task& task) {
    {
      const std::lock_guard lock(mutex_);
      ready_.push_back(task);
      start_thread_if_needed();
    }
    wake_.notify_one();
  }

  void block() noexcept {
    const std::lock_guard lock(mutex_);
    ++blocked_;
    start_thread_if_needed();
  }
  void unblock() noexcept {
    const std::lock_guard lock(mutex_);
    --blocked_;
  }

private:
  static constexpr std::size_t LIMIT = 256;

  /// With the mutex held.
  void start_thread_if_needed() {
    if (ready_.size() <= idle_ || threads_.size() - blocked_ >= LIMIT)
      return;
    threads_.emplace_back([this] { run(); });
    ++idle_; // it will look for work, so no second one need be started for the same task
  }

  void run() {
    is_host_thread = true;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return ending_ || !ready_.empty(); });
      if (ready_.empty())
        return;
      const ready_task next = ready_.front();
      ready_.pop_front();
      --idle_;
      lock.unlock();
      execute(next);
      lock.lock();
      ++idle_;
    }
  }

  static void execute(const ready_task& next) {
    std::exception_ptr error;
    next.self->mark_running();
    try {
      next.task->function();
    } catch (...) {
      error = std::current_exception();
    }
    next.done(*next.self, std::move(error));
  }

public:
  static thread_local bool is_host_thread;

private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<ready_task> ready_;
  std::vector<std::thread> threads_;
  /// Threads that look for a task or are about to.
  std::size_t idle_ = 0;
  std::size_t blocked_ = 0;
  bool ending_ = false;
};

thread_local bool host_threads::is_host_thread = false;

} // namespace

void run_host_task(command& self, const host_operation& task,
                   void (*done)(command& self, std::exception_ptr error) noexcept) {
  host_threads::instance().post({&self, &task, done});
}

void prepare_host_tasks() {
  (void)host_threads::instance();
}

blocked_host_task::blocked_host_task() noexcept {
  if (host_threads::is_host_thread)
    host_threads::instance().block();
}

blocked_host_task::~blocked_host_task() {
  if (host_threads::is_host_thread)
    host_threads::instance().unblock();
}

} // namespace falx
