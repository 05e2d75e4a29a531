// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/command_view.hpp"
#include "falx/handle.hpp"
#include "falx/queue.hpp"

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace falx {

struct command_work;
class context_state;
class native_event;

/// One unit of work on its way through the runtime: what sycl::event holds. A command waits for its
/// dependencies by a counter, is handed to its backend when the counter reaches zero, and on completion
/// notifies whatever waits for it. Thread-safe.
class command final : public command_view {
public:
  enum class status : std::uint8_t { waiting, running, complete };

  /// A command that no queue runs: it is running from the start and completes when its owner calls
  /// complete(). Host accessors block later commands with one.
  static handle<command> make_manual();

  /// A command for \p queue, to be filled through work() and submitted once.
  static handle<command> make_for(queue_state& queue);

  /// A complete command in whose place another one can be put, again and again: what an event of
  /// khr::make_event holds, so that its copies change with it.
  static handle<command> make_stand_in(handle<context_state> context);
  /// That of a stand-in; null for other commands.
  context_state* stand_in_context() const noexcept;
  /// Puts \p other, which is none, in the place of this stand-in.
  void stand_for(handle<command> other) noexcept;
  /// The command that an event with this one means: what a stand-in stands for now, else \p self.
  static handle<command> meant(handle<command> self) noexcept {
    return self->stand_in_ == nullptr ? std::move(self) : self->stood_for();
  }

  status current_status() const noexcept {
    const std::uint32_t state = state_.load(std::memory_order_acquire);
    return command_view::is_complete(state) ? status::complete
           : (state & RUNNING) != 0         ? status::running
                                            : status::waiting;
  }
  /// As is_complete, but polls the backend where that alone completes commands. Not to be called with locks
  /// held: completion may run the user's destructors and async handlers.
  bool poll() noexcept;

  /// Returns when the command is complete. The calling thread may run queued work meanwhile, but never host
  /// tasks. Not to be called with locks held.
  void wait() noexcept;
  /// Has the command complete in the background, now or when it is handed over: something on the host waits.
  void complete_in_background() noexcept;

  /// What the command failed with; null if it did not. Valid once complete.
  std::exception_ptr error() const noexcept { return error_; }

  /// For commands of the runtime's own queues, before they are submitted: what they fail with is the concern
  /// of \p user's async handler, or, if that is null, of the thread that waits for the command.
  void make_internal(queue_state* user) noexcept;
  /// True for commands that the runtime made for itself (make_internal).
  bool is_internal() const noexcept { return internal_; }

  /// Before submission, while the caller keeps the command's queue: \p place becomes its queue.
  inline void move_to(queue_state& place) noexcept; // in queue_state.hpp
  /// The queue that the command was submitted to, or the branch of it for the command's device; null for
  /// manual commands.
  inline queue_state* queue() const noexcept; // in queue_state.hpp

  /// Commands this one waits for that are not complete (event::get_wait_list).
  std::vector<handle<command>> wait_list() const;

  /// Before submission: has the command take times, as those of profiling queues do.
  void measure() noexcept { profiled_ = true; }
  /// The same for a command that is a point in time: when it runs is all that counts.
  void measure_moment() noexcept {
    measure();
    marks_moment_ = true;
  }
  bool marks_moment() const noexcept { return marks_moment_; }
  /// Nanoseconds on one steady clock, like submit_time(); 0 until known and where none are taken.
  std::uint64_t start_time() const noexcept { return start_time_.load(std::memory_order_acquire); }
  std::uint64_t end_time() const noexcept { return end_time_.load(std::memory_order_acquire); }

  /// What to do; null for manual commands. Only for the submitting thread until the command is handed over,
  /// then for the backend until it is complete.
  inline command_work* work() noexcept; // in command_work.hpp

  /// True if \p other, which is not complete, waits for this command, be it for others that do. To be called
  /// where no other thread can complete this command meanwhile, so that those who wait stay as they are.
  /// Dependencies that a backend orders by itself do not count: what it was handed waits for nothing on the
  /// host.
  bool blocks(const command& other) const;

  /// Makes the command wait for \p dependencies that are not complete, on the host, and hands it to its
  /// backend when they are, and when \p predecessor, unless that is null, has been handed over: the command
  /// before it in an in-order queue, which never runs on the host. Called once, by queue_state. If it throws,
  /// nothing has happened.
  void submit(std::vector<handle<command>> dependencies, command* predecessor = nullptr);
  /// Completes a command that others may wait for already, and that could not be submitted.
  void abandon() noexcept;
  /// Native dependencies, before submit.
  void order_after(std::vector<handle<command_view>> native) noexcept { after_ = std::move(native); }
  /// Hands the command to its backend now, which the caller knows to be possible.
  void hand_over() noexcept;
  /// Says beforehand that hand_over will happen before anybody else can see the command.
  void announce_hand_over() noexcept { handed_over_.store(true, std::memory_order_relaxed); }

  /// Before submit: the runtime itself does the work, which is a host_operation or empty, when all
  /// dependencies are complete.
  void set_runs_on_host() noexcept { runs_on_host_ = true; }
  bool runs_on_host() const noexcept { return runs_on_host_; }
  /// Before submit: something on the host has to happen between this command and those that depend on it, so
  /// that devices alone cannot order them.
  void set_acts_on_completion() noexcept { acts_on_completion_ = true; }
  bool acts_on_completion() const noexcept { return acts_on_completion_; }

  /// What native_objects made for this command; null until first requested.
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

  struct stand_in;

  command() noexcept;
  ~command() override;
  handle<command> stood_for() const noexcept;
  /// False if this command is complete already.
  bool add_dependent(edge& edge) noexcept;
  /// False if this command has been handed over already.
  bool add_successor(edge& edge) noexcept;
  void release_successor() noexcept;
  void dependency_completed() noexcept;
  static void release_dependents(edge* first) noexcept;
  /// Whose members call these.
  friend class command_view;
  void become_complete(std::exception_ptr&& error) noexcept;
  backend_device& backend() const noexcept;
  void run_on_host() noexcept;
  void wait_for_backend() noexcept;

  /// Dependencies that are not complete, plus one until submit has counted them.
  std::atomic<std::uint32_t> pending_{1};
  std::atomic<edge*> dependents_{nullptr};
  /// What is handed over behind this command; the own first_edge_ once it is too late for that.
  std::atomic<edge*> successor_{nullptr};
  bool internal_ = false;
  bool marks_moment_ = false;
  bool runs_on_host_ = false;
  bool acts_on_completion_ = false;
  /// Guards waits_for_ and after_, which completion clears while others may read them, and what a stand-in
  /// stands for.
  mutable std::atomic_flag wait_list_lock_;
  /// Of internal commands: whose async handler learns of errors; a reference, as that to the queue.
  queue_state* user_ = nullptr;
  std::vector<handle<command>> waits_for_;
  std::vector<handle<command_view>> after_;
  std::atomic<native_event*> native_{nullptr};
  edge first_edge_;
  std::unique_ptr<edge[]> more_edges_;
  std::exception_ptr error_;
  std::unique_ptr<stand_in> stand_in_;
};

} // namespace falx
