// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"
#include "ref_counted.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace falx {

class queue_state;
class command;

void retain(command*) noexcept;
void release(command*) noexcept;

/// One unit of work on its way through the runtime: what sycl::event holds. A command waits for its
/// dependencies by a counter, is handed to its backend when the counter reaches zero, and on completion
/// notifies whatever waits for it. Thread-safe.
class command : public ref_counted {
public:
  enum class status : std::uint8_t { waiting, running, complete };

  /// A command that no queue runs: it is running from the start and completes when somebody calls
  /// complete(). Host accessors block later commands with one.
  static handle<command> make_manual();

  status current_status() const noexcept { return status_.load(std::memory_order_acquire); }
  bool is_complete() const noexcept { return current_status() == status::complete; }

  /// Returns when the command is complete. The calling thread may run queued work meanwhile.
  void wait();

  /// Marks the command complete and releases its dependents; \p error is what it failed with, if anything.
  /// A dependent of a failed command still runs (SYCL leaves it to the async handler).
  void complete(std::exception_ptr error = nullptr) noexcept;

  /// What the command failed with; null if it did not. Valid once complete.
  std::exception_ptr error() const noexcept;

  /// The queue that the command was submitted to; null for manual commands.
  queue_state* queue() const noexcept;

  /// Commands this one waits for that were not complete at submission (event::get_wait_list).
  std::vector<handle<command>> wait_list() const;

  /// Nanoseconds on one steady clock; 0 until known. Start and end are only taken on profiling queues.
  std::uint64_t submit_time() const noexcept;
  std::uint64_t start_time() const noexcept;
  std::uint64_t end_time() const noexcept;

protected:
  std::atomic<status> status_{status::waiting};
};

} // namespace falx
