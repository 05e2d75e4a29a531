// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "endless_wait.hpp"

#include "api/host_access.hpp"
#include "command.hpp"
#include "process/process_state.hpp"
#include "queue_state.hpp"

#include <chrono>
#include <cstdio>
#include <thread>

namespace falx {
namespace {

constexpr std::chrono::milliseconds LOOK_INTERVAL{10};
constexpr int LOOKS_BEFORE_WARNING = 100;

/// True if \p later cannot be complete before \p running, which the calling thread runs.
bool comes_after(const command& later, const command& running) {
  if (&later == &running || running.blocks(later))
    return true;
  queue_state* const queue = running.queue();
  return queue != nullptr && queue->is_in_order() && later.queue() == queue;
}

bool waits_for_own_task(const command& until) {
  const auto* const running = static_cast<const command*>(program_code::current());
  if (running == nullptr || !comes_after(until, *running))
    return false;
  if (!is_process_ending())
    std::fputs("falx: warning: a host task or async handler waits for a command that comes after it, which "
               "would never end; the wait is given up. Let the program's own thread wait\n",
               stderr);
  return true;
}

void warn_of_own_accessor(const command& until) {
  for (int looks = 0; host_access::is_blocked_by_this_thread(until); ++looks) {
    if (looks == LOOKS_BEFORE_WARNING) {
      host_access::warn_once(until);
      return;
    }
    std::this_thread::sleep_for(LOOK_INTERVAL); // another thread may destroy the accessor
  }
}

} // namespace

bool is_endless_wait(const command& until) noexcept {
  if (waits_for_own_task(until))
    return true;
  if (host_access::is_any_alive())
    warn_of_own_accessor(until);
  return false;
}

} // namespace falx
