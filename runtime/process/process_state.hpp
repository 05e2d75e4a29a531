// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>

/// \file
/// What fork and the end of the process mean for the runtime (docs/processes.md).

namespace falx {

class command_view;

/// Called before the process gets its first thread of the runtime: a child that fork makes from then on lacks
/// that thread.
void note_threads() noexcept;

extern constinit std::atomic<bool> lacks_threads;
/// True in a child of fork that lacks threads of the runtime. What its parent was at never becomes complete
/// here, locks may be held by threads that do not exist, and nothing can be launched.
inline bool is_forked_child() noexcept {
  return lacks_threads.load(std::memory_order_relaxed);
}
/// What \p function throws then: errc::runtime.
[[noreturn]] void throw_forked_child(const char* function);

/// While one lives, the thread runs code of the program on behalf of a command that is not complete before
/// the code returns: a host task, an async handler.
class program_code {
public:
  explicit program_code(const command_view& on_behalf_of) noexcept;
  ~program_code();
  program_code(const program_code&) = delete;
  program_code& operator=(const program_code&) = delete;

  /// On behalf of which command the thread runs code of the program; null if of none.
  static const command_view* current() noexcept;

private:
  const command_view* const outer_;
};

/// Has the end of the process wait for all queues: when exit reaches the function that this registers, and
/// once more when all objects of the program are destroyed. Called with the first queue.
void wait_at_process_end() noexcept;
/// True from when exit first reached that.
bool is_process_ending() noexcept;

} // namespace falx
