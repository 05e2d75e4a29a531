// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace falx {

class command_view;

/// A backend that computes on host threads lends itself the threads that wait.
class wait_helper {
public:
  /// Runs queued work that cannot block on the calling thread. Returns when \p until is complete or completes
  /// on request, or when there has been no work for so long that sleeping costs less.
  virtual void help(const command_view& until) noexcept = 0;

protected:
  ~wait_helper() = default;
};

/// \p helper lives until the process ends. The last one set counts: there is one such backend.
void set_wait_helper(wait_helper& helper) noexcept;

/// The system lets the backend have no thread: queued work is done by threads that wait, and only by them.
void set_waiting_threads_do_all() noexcept;
bool do_waiting_threads_do_all() noexcept;

} // namespace falx
