// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/command_view.hpp"
#include "cpu_executor.hpp"

#include <atomic>
#include <exception>

namespace falx {

/// The commands of one in-order queue. Handing one over is a single atomic operation; one thread at a time
/// runs them, as a job of the executor that stays while there is work.
class cpu_strand final : public backend_queue, private cpu_job {
public:
  cpu_strand(cpu_executor& executor, queue_view& queue) noexcept
      : cpu_job(&start), executor_(executor), queue_(queue) {}

  /// The one behind an in-order queue, made when it is first needed.
  static cpu_strand& of(cpu_executor& executor, queue_view& queue);

  /// Appends a command and has the strand run if it does not yet.
  void push(command_view& self) noexcept;

private:
  static void start(cpu_job& job) noexcept { static_cast<cpu_strand&>(job).drain(); }
  /// Runs commands until there are none, or one goes on in other threads and will resume the strand.
  void drain() noexcept;
  /// True if there is no command: the next push has the strand run again. Otherwise a command is waiting,
  /// which keeps the queue in memory.
  bool become_idle() noexcept;
  /// Leaves the rest to another thread.
  void continue_elsewhere() noexcept;
  /// Waits a moment for the next command, as long as there is nothing else to do.
  void linger() noexcept;
  /// The next command in order of arrival. Null if there is none, and then the strand is idle.
  command_view* pop() noexcept;
  /// True if the command is complete, false if it will call resume.
  bool execute(command_view& self) noexcept;
  static void resume_after(command_view& self) noexcept;
  static void resume_after_host_task(command_view& self, std::exception_ptr error) noexcept;
  static cpu_strand& of(command_view& self) noexcept {
    return static_cast<cpu_strand&>(*self.queue()->native());
  }

  /// What a strand keeps in a command's slot.
  struct link {
    command_view* next = nullptr;
  };
  static command_view*& next(command_view& self) noexcept { return self.slot().get<link>().next; }
  /// Not a command: in arrived_, says that no thread runs the strand.
  static command_view* idle() noexcept { return reinterpret_cast<command_view*>(std::uintptr_t{1}); }

  cpu_executor& executor_;
  queue_view& queue_;
  /// Commands that have not been looked at, the last one first.
  alignas(64) std::atomic<command_view*> arrived_{idle()};
  /// For the thread that runs the strand: commands in their order.
  alignas(64) command_view* ordered_ = nullptr;
};

} // namespace falx
