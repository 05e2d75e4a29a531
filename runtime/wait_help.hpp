// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace falx {

class command;

/// A backend that computes on host threads lends itself the threads that wait: runs one piece of queued work
/// that cannot block, on the calling thread, and says whether there was any. Stops early once \p until is
/// complete.
using wait_helper = bool (*)(const command& until) noexcept;

/// The last one set counts: there is one such backend.
void set_wait_helper(wait_helper helper) noexcept;
wait_helper current_wait_helper() noexcept;

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

} // namespace falx
