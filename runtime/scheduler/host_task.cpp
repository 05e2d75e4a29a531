// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_task.hpp"

#include "command.hpp"
#include "process/process_state.hpp"
#include "sycl/exception.hpp"

#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace falx {
namespace {

struct ready_task {
  command* self;
  const host_operation* task;
  void (*done)(command_view&, std::exception_ptr) noexcept;
};

/// Threads that run host tasks: as many as there are tasks that run at a time, up to a limit that tasks which
/// wait for commands do not count towards.
class host_threads {
public:
  static host_threads& instance() {
    // Never destroyed: static destructors of the program may still submit host tasks.
    static host_threads& threads = *std::make_unique<host_threads>().release();
    return threads;
  }

  void post(const ready_task& task) {
    {
      const std::lock_guard lock(mutex_);
      start_thread_if_needed(1);
      ready_.push_back(task);
    }
    wake_.notify_one();
  }

  void block() noexcept {
    const std::lock_guard lock(mutex_);
    ++blocked_;
    try {
      start_thread_if_needed(0);
    } catch (const sycl::exception&) { // the tasks wait until this thread goes on
    }
  }
  void unblock() noexcept {
    const std::lock_guard lock(mutex_);
    assert(blocked_ != 0 && "a thread stops to wait that did not");
    --blocked_;
  }

private:
  static constexpr std::size_t LIMIT = 256;

  /// With the mutex held. Throws sycl::exception if there is no thread at all.
  void start_thread_if_needed(std::size_t more_tasks) {
    assert(blocked_ <= threads_.size() && "only host threads count as blocked");
    if (ready_.size() + more_tasks <= idle_ || threads_.size() - blocked_ >= LIMIT)
      return;
    note_threads();
    try {
      threads_.emplace_back([this] { run(); });
    } catch (const std::system_error& error) {
      if (threads_.size() > blocked_)
        return; // those that there are run the task later
      throw sycl::exception(
          sycl::errc::runtime,
          std::string("a host task cannot run, as the system lets the process start no thread "
                      "for it: ") +
              error.what() +
              "; raise the limit of processes (ulimit -u, or the container's) or of memory "
              "(ulimit -v)");
    }
    ++idle_; // it will look for work, so no second one need be started for the same task
  }

  void run() {
    is_host_thread = true;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return !ready_.empty(); });
      const ready_task next = ready_.front();
      ready_.pop_front();
      assert(idle_ != 0 && idle_ <= threads_.size() && "a thread looks for a task that is not counted");
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
      const program_code task(*next.self);
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
};

thread_local bool host_threads::is_host_thread = false;

} // namespace

void run_host_task(command& self, const host_operation& task,
                   void (*done)(command_view& self, std::exception_ptr error) noexcept) noexcept {
  try {
    host_threads::instance().post({&self, &task, done});
  } catch (...) { // no thread, no memory
    done(self, std::current_exception());
  }
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
