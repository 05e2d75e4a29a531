// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace falx {

class command;

/// A backend that computes on host threads lends itself the threads that wait: runs queued work that cannot
/// block on the calling thread. Returns when \p until is complete or completes on request, or when there has
/// been no work for so long that sleeping costs less.
using wait_helper = void (*)(const command& until) noexcept;

/// The last one set counts: there is one such backend.
void set_wait_helper(wait_helper helper) noexcept;
wait_helper current_wait_helper() noexcept;

/// The system lets the backend have no thread: queued work is done by threads that wait, and only by them.
void set_waiting_threads_do_all() noexcept;
bool do_waiting_threads_do_all() noexcept;

/// Nanoseconds on the clock of command times.
std::uint64_t now() noexcept;

/// Tells the processor that the thread spins.
inline void spin_pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Looks whether \p is_over until it is, or until about \p nanoseconds have passed; gives which.
template <class Condition>
bool spin_until(Condition is_over, std::uint64_t nanoseconds) noexcept {
  constexpr unsigned SPINS_PER_LOOK_AT_CLOCK = 32;
  std::uint64_t deadline = 0;
  for (unsigned spins = 1; !is_over(); ++spins) {
    spin_pause();
    if (spins % SPINS_PER_LOOK_AT_CLOCK != 0)
      continue;
    const std::uint64_t time = now();
    if (deadline == 0)
      deadline = time + nanoseconds;
    else if (time > deadline)
      return false;
  }
  return true;
}

} // namespace falx
