// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace falx {

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
