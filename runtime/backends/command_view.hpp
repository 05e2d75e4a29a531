// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backend_slot.hpp"
#include "falx/handle.hpp"
#include "operation.hpp"
#include "process/ref_counted.hpp"
#include "queue_view.hpp"

#include <atomic>
#include <cassert>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>

/// \file
/// All that a backend knows of a command. What the scheduler needs beside, dependencies on the host, waiting
/// threads and async handlers, is in scheduler/command.hpp.

namespace falx {

/// What a command does, as far as it concerns its backend. The rest of command_work keeps things alive.
struct device_work {
  operation what;
  /// Which of a queue's native streams the user would like, modulo their number.
  std::optional<std::uint32_t> preferred_stream;
};

/// What a command kept alive until its work was done. Destroys it.
class finished_work {
public:
  finished_work() noexcept = default;
  explicit finished_work(device_work* work) noexcept : work_(work) {}

  /// False: nothing of the program's runs when this is destroyed.
  bool may_run_program_code() const noexcept;

private:
  struct destroyer {
    void operator()(device_work* work) const noexcept;
  };
  std::unique_ptr<device_work, destroyer> work_;
};

/// A command as the backend of its device sees it: what to do and where, and what follows it. The one
/// class that derives from it is command. From hand-over (backend_device::enqueue) to complete() the runtime
/// holds a reference. Thread-safe.
class command_view : public ref_counted {
public:
  /// What to do; as long as the command is not complete.
  const operation& what() const noexcept { return work_->what; }
  const std::optional<std::uint32_t>& preferred_stream() const noexcept { return work_->preferred_stream; }
  /// Where; null for commands that no backend gets.
  queue_view* queue() const noexcept { return queue_; }

  bool is_complete() const noexcept { return is_complete(state_.load(std::memory_order_acquire)); }
  /// True once the backend has the command, so that it can order others after it.
  bool is_handed_over() const noexcept { return handed_over_.load(std::memory_order_acquire); }

  /// To be called when the work begins; takes the start time if the command is profiled.
  void mark_running() noexcept;
  /// Notes what the work failed with while it runs; the first one counts.
  void fail(std::exception_ptr error) noexcept;
  /// Marks the command complete and releases its dependents; \p error is what it failed with, if anything.
  /// A dependent of a failed command still runs (SYCL leaves it to the async handler). Takes the end time of
  /// a profiled command, unless set_times was called. Runs the program's async handlers and destructors.
  void complete(std::exception_ptr error = nullptr) noexcept;
  /// Right before complete(), for those who act between it and the program's destructors: runs the completion
  /// actions and takes what the command keeps alive.
  finished_work finish_work() noexcept;

  /// Runs the host task that the command is (SYCL 2020 §4.10) on a thread of its own kind. Host tasks may
  /// block, on each other as well, so they take no thread away from kernels, and a thread more is started
  /// when all are busy. \p done is called with what the task threw, or why there is no thread for it, or
  /// null, and has to complete \p self.
  void run_host_task(void (*done)(command_view& self, std::exception_ptr error) noexcept) noexcept;

  /// Whether the command takes times: nanoseconds on the host's clock (now).
  bool is_profiled() const noexcept { return profiled_; }
  std::uint64_t submit_time() const noexcept { return submit_time_.load(std::memory_order_acquire); }
  /// For devices with clocks of their own, before complete.
  void set_times(std::uint64_t start, std::uint64_t end) noexcept;

  /// Within enqueue and when the three functions work for this command: complete() is called within
  /// backend_device::wait_for, poll and notify.
  void set_completes_on_request() noexcept;
  /// The same at less cost, for a command whose hand-over was announced (is_handed_over is true within
  /// enqueue), before the backend shows it to other threads of its own.
  void set_completes_on_request_unseen() noexcept {
    assert(is_handed_over() && state_.load(std::memory_order_relaxed) <= RUNNING &&
           "other threads may have seen it");
    state_.store(state_.load(std::memory_order_relaxed) | ON_REQUEST, std::memory_order_relaxed);
  }
  bool completes_on_request() const noexcept { return is_on_request(state_.load(std::memory_order_acquire)); }

  /// The backend's own, from hand-over on.
  backend_slot& slot() noexcept { return slot_; }
  const backend_slot& slot() const noexcept { return slot_; }

protected:
  command_view() noexcept = default;
  ~command_view() override = default;

  static constexpr std::uint32_t RUNNING = 1, COMPLETE = 2, HAS_SLEEPERS = 4;
  /// Completes when the backend is polled; something on the host waits that does not poll.
  static constexpr std::uint32_t ON_REQUEST = 8, IN_BACKGROUND = 16;
  static bool is_on_request(std::uint32_t state) noexcept {
    return (state & (ON_REQUEST | COMPLETE)) == ON_REQUEST;
  }
  /// Of a state just read.
  bool is_complete(std::uint32_t state) const noexcept {
    if ((state & COMPLETE) == 0)
      return false;
    observe(this);
    return true;
  }

  std::atomic<std::uint32_t> state_{0};
  std::atomic<bool> handed_over_{false};
  bool profiled_ = false;
  /// A reference of the kind that does not keep the queue open (queue_state).
  queue_view* queue_ = nullptr;
  /// A command_work.
  device_work* work_ = nullptr;
  std::atomic<std::uint64_t> submit_time_{0}, start_time_{0}, end_time_{0};

private:
  backend_slot slot_;
};

inline void retain(command_view* self) noexcept {
  self->retain_reference();
}
inline void release(command_view* self) noexcept {
  self->release_reference();
}

} // namespace falx
