// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "api/ref_counted.hpp"
#include "falx/handle.hpp"
#include "falx/interop.hpp"
#include "falx/queue.hpp"

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

namespace falx {

class backend_device;
struct command_work;

/// A native event that stands for a command, for interoperability.
class native_event {
public:
  virtual ~native_event() = default;
  virtual native_handle handle() const noexcept = 0;
};

/// One unit of work on its way through the runtime: what sycl::event holds. A command waits for its
/// dependencies by a counter, is handed to its backend when the counter reaches zero, and on completion
/// notifies whatever waits for it. From submission to completion the runtime holds a reference. Thread-safe.
class command final : public ref_counted {
public:
  enum class status : std::uint8_t { waiting, running, complete };

  /// A command that no queue runs: it is running from the start and completes when somebody calls
  /// complete(). Host accessors block later commands with one.
  static handle<command> make_manual();

  /// A command for \p queue, to be filled through work() and submitted once.
  static handle<command> make_for(queue_state& queue);

  status current_status() const noexcept {
    const std::uint32_t state = state_.load(std::memory_order_acquire);
    return is_complete(state) ? status::complete : (state & RUNNING) != 0 ? status::running : status::waiting;
  }
  bool is_complete() const noexcept { return is_complete(state_.load(std::memory_order_acquire)); }
  /// As is_complete, but asks the backend where that alone completes commands. Not to be called with locks
  /// held: completion may run the user's destructors and async handlers.
  bool poll() noexcept;

  /// Returns when the command is complete. The calling thread may run queued work meanwhile, but never host
  /// tasks. Not to be called with locks held.
  void wait() noexcept;
  /// Has the command complete without anybody asking, now or when it is handed over.
  void complete_in_background() noexcept;

  /// Backends call it when the work begins; takes the start time on profiling queues.
  void mark_running() noexcept;

  /// Marks the command complete and releases its dependents; \p error is what it failed with, if anything.
  /// A dependent of a failed command still runs (SYCL leaves it to the async handler). On profiling queues
  /// takes the end time, unless set_times was called.
  void complete(std::exception_ptr error = nullptr) noexcept;

  /// For backends whose devices have clocks of their own, before complete: nanoseconds on the host's clock.
  void set_times(std::uint64_t start, std::uint64_t end) noexcept;

  /// What the command failed with; null if it did not. Valid once complete.
  std::exception_ptr error() const noexcept { return error_; }

  /// For commands of the runtime's own queues, before they are submitted: what they fail with is the concern
  /// of \p user's async handler, or, if that is null, of whoever waits for the command.
  void make_internal(queue_state* user) noexcept;
  /// True for commands that the runtime made for itself (make_internal).
  bool is_internal() const noexcept { return internal_; }

  /// Before submission: \p place, of the same family as the command's queue, becomes its queue.
  void move_to(queue_state& place) noexcept { queue_ = &place; }
  /// The queue that the command was submitted to, or the branch of it for the command's device; null for
  /// manual commands.
  queue_state* queue() const noexcept { return queue_; }

  /// Commands this one waits for that are not complete (event::get_wait_list).
  std::vector<handle<command>> wait_list() const;

  /// True if the command takes times: its queue was made with property::queue::enable_profiling, or the
  /// runtime itself wants to know.
  bool is_profiled() const noexcept { return profiled_; }
  /// Before submission: has the command take times.
  void measure() noexcept { profiled_ = true; }
  /// Nanoseconds on one steady clock; 0 until known and on queues without profiling.
  std::uint64_t submit_time() const noexcept { return submit_time_.load(std::memory_order_acquire); }
  std::uint64_t start_time() const noexcept { return start_time_.load(std::memory_order_acquire); }
  std::uint64_t end_time() const noexcept { return end_time_.load(std::memory_order_acquire); }

  /// What to do; null for manual commands. Only for the submitting thread until the command is handed over,
  /// then for the backend until it is complete.
  command_work* work() noexcept { return work_; }

  /// True if \p other, which is not complete, waits for this command, be it for others that do. To be called
  /// where nobody can complete this command meanwhile, so that those who wait stay as they are. Dependencies
  /// that a backend orders by itself do not count: what it was handed waits for nothing on the host.
  bool blocks(const command& other) const;

  /// Takes what the command keeps alive, for those who act between completion and its destruction, which may
  /// run the user's destructors.
  std::unique_ptr<command_work> detach_work() noexcept;

  /// Makes the command wait for \p dependencies that are not complete, on the host, and hands it to its
  /// backend when they are, and when \p predecessor, unless that is null, has been handed over: the command
  /// before it in an in-order queue, which never runs on the host. Called once, by queue_state. If it throws,
  /// nothing has happened.
  void submit(std::vector<handle<command>> dependencies, command* predecessor = nullptr);
  /// Completes a command that others may wait for already, and that could not be submitted.
  void abandon() noexcept;
  /// Native dependencies, before submit.
  void order_after(std::vector<handle<command>> native) noexcept { after_ = std::move(native); }
  /// True once the backend has the command, so that it can order others after it.
  bool is_handed_over() const noexcept { return handed_over_.load(std::memory_order_acquire); }
  /// Hands the command to its backend now, which the caller knows to be possible.
  void hand_over() noexcept;
  /// Says beforehand that hand_over will happen before anybody else can see the command.
  void announce_hand_over() noexcept { handed_over_.store(true, std::memory_order_relaxed); }

  /// For backends, within enqueue and when the three functions work for this command: complete() is called
  /// when somebody asks (backend_device::wait_for, poll, notify).
  void set_completes_on_request() noexcept;
  /// The same at less cost, for a command whose hand-over was announced (is_handed_over is true within
  /// enqueue), before the backend shows it to other threads of its own.
  void set_completes_on_request_unseen() noexcept {
    assert(is_handed_over() && state_.load(std::memory_order_relaxed) <= RUNNING &&
           "somebody may have seen it");
    state_.store(state_.load(std::memory_order_relaxed) | ON_REQUEST, std::memory_order_relaxed);
  }
  bool completes_on_request() const noexcept { return is_on_request(state_.load(std::memory_order_acquire)); }

  /// Before submit: the runtime itself does the work, which is a host_operation or empty, when all
  /// dependencies are complete.
  void set_runs_on_host() noexcept { runs_on_host_ = true; }
  bool runs_on_host() const noexcept { return runs_on_host_; }
  /// Before submit: something on the host has to happen between this command and those that depend on it, so
  /// that devices alone cannot order them.
  void set_acts_on_completion() noexcept { acts_on_completion_ = true; }
  bool acts_on_completion() const noexcept { return acts_on_completion_; }

  /// For the backend, from hand-over to completion.
  void* backend_words[4] = {};

  /// What native_objects made for this command; null until somebody asks for it.
  native_event* native() const noexcept { return native_.load(std::memory_order_acquire); }
  /// Keeps \p made as long as the command lives, unless another thread was faster; gives the one kept.
  native_event& set_native(std::unique_ptr<native_event> made) noexcept;

  /// Commands come and go by the million: memory is recycled per thread.
  static void* operator new(std::size_t size);
  static void operator delete(void* memory, std::size_t size) noexcept;

private:
  /// Says that \ref dependent waits for the command in whose list the edge is.
  struct edge {
    command* dependent = nullptr;
    edge* next = nullptr;
  };

  command() noexcept = default;
  ~command() override;
  /// False if this command is complete and nothing will be told.
  bool add_dependent(edge& edge) noexcept;
  /// False if this command has been handed over and nothing will be told.
  bool add_successor(edge& edge) noexcept;
  void release_successor() noexcept;
  void dependency_completed() noexcept;
  static void release_dependents(edge* first) noexcept;
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
  backend_device& backend() const noexcept;
  void run_on_host() noexcept;
  void wait_for_backend() noexcept;

  static constexpr std::uint32_t RUNNING = 1, COMPLETE = 2, SOMEBODY_SLEEPS = 4;
  /// Completes when the backend is asked; something on the host waits without asking.
  static constexpr std::uint32_t ON_REQUEST = 8, UNASKED = 16;
  std::atomic<std::uint32_t> state_{0};
  /// Dependencies that are not complete, plus one until submit has counted them.
  std::atomic<std::uint32_t> pending_{1};
  std::atomic<edge*> dependents_{nullptr};
  /// Who is handed over behind this command; the own first_edge_ once it is too late for that.
  std::atomic<edge*> successor_{nullptr};
  std::atomic<bool> handed_over_{false};
  bool profiled_ = false;
  bool internal_ = false;
  bool runs_on_host_ = false;
  bool acts_on_completion_ = false;
  /// Guards waits_for_ and after_, which completion clears while others may read them.
  mutable std::atomic_flag wait_list_lock_;
  /// A reference of the kind that does not keep the queue open (queue_state).
  queue_state* queue_ = nullptr;
  /// Of internal commands: whose async handler learns of errors; likewise a reference.
  queue_state* user_ = nullptr;
  command_work* work_ = nullptr;
  std::vector<handle<command>> waits_for_;
  std::vector<handle<command>> after_;
  std::atomic<native_event*> native_{nullptr};
  edge first_edge_;
  std::unique_ptr<edge[]> more_edges_;
  std::exception_ptr error_;
  std::atomic<std::uint64_t> submit_time_{0}, start_time_{0}, end_time_{0};
};

} // namespace falx
