// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_strand.hpp"

#include "scheduler/command_work.hpp"
#include "scheduler/host_task.hpp"
#include "scheduler/wait_help.hpp"

#include <cassert>
#include <memory>
#include <utility>

namespace falx {
namespace {

/// A few microseconds: a stream of submissions then costs one atomic operation each, without a job to post.
constexpr unsigned LINGER_SPINS = 100;

thread_local constinit const command* limit_of_thread = nullptr;

} // namespace

strand_limit::strand_limit(const command& until) noexcept : outer_(std::exchange(limit_of_thread, &until)) {}

strand_limit::~strand_limit() {
  limit_of_thread = outer_;
}

bool strand_limit::is_reached() noexcept {
  return limit_of_thread != nullptr && limit_of_thread->is_complete();
}

void cpu_strand::push(command& self) noexcept {
  assert(self.queue() == &queue_ && &self != idle() && "a strand runs the commands of one queue");
  publish(&self);
  command* before = arrived_.load(std::memory_order_relaxed);
  do
    set_next(self, before == idle() ? nullptr : before);
  while (
      !arrived_.compare_exchange_weak(before, &self, std::memory_order_acq_rel, std::memory_order_relaxed));
  if (before == idle())
    executor_.post(*this);
}

bool cpu_strand::become_idle() noexcept {
  if (ordered_ != nullptr)
    return false;
  command* none = nullptr;
  return arrived_.compare_exchange_strong(none, idle(), std::memory_order_acq_rel, std::memory_order_relaxed);
}

void cpu_strand::continue_elsewhere() noexcept {
  if (!become_idle())
    executor_.post(*this);
}

command* cpu_strand::pop() noexcept {
  if (become_idle())
    return nullptr;
  if (ordered_ == nullptr) {
    command* newest = arrived_.exchange(nullptr, std::memory_order_acquire);
    while (newest != nullptr) {
      command* const older = next(*newest);
      set_next(*newest, ordered_);
      ordered_ = newest;
      newest = older;
    }
  }
  command* const first = ordered_;
  assert(first != nullptr && "a strand that is not idle has a command");
  ordered_ = next(*first);
  observe(first);
  return first;
}

void cpu_strand::linger() noexcept {
  if (ordered_ != nullptr || !cpu_executor::is_own_thread())
    return;
  for (unsigned spins = 0; spins < LINGER_SPINS; ++spins) {
    if (arrived_.load(std::memory_order_relaxed) != nullptr || executor_.has_ready())
      return;
    spin_pause();
  }
}

void cpu_strand::drain() noexcept {
  // The queue may be dropped as soon as its last command is complete; there is one yet.
  queue_state& queue = queue_.head();
  queue.retain_reference();
  for (;;) {
    command* const self = pop();
    if (self == nullptr || !execute(*self))
      break;
    if (strand_limit::is_reached()) {
      continue_elsewhere();
      break;
    }
    linger();
  }
  queue.release_reference();
}

bool cpu_strand::execute(command& self) noexcept {
  const operation& what = self.work()->what;
  if (const auto* task = std::get_if<host_operation>(&what)) {
    run_host_task(self, *task, &resume_after_host_task);
    return false;
  }
  if (std::holds_alternative<empty_operation>(what))
    self.mark_running();
  else if (!run_work(executor_, self, &resume_after))
    return false;
  self.complete();
  return true;
}

void cpu_strand::resume_after(command& self) noexcept {
  cpu_strand& strand = of(self);
  queue_state& queue = strand.queue_.head();
  queue.retain_reference();
  self.complete();
  strand.drain();
  queue.release_reference();
}

void cpu_strand::resume_after_host_task(command& self, std::exception_ptr error) noexcept {
  cpu_strand& strand = of(self);
  queue_state& queue = strand.queue_.head();
  queue.retain_reference();
  // What the task captured goes last: its destructors may wait for commands that come later in the strand.
  self.work()->finish();
  const std::unique_ptr<command_work> work = self.detach_work();
  self.complete(std::move(error));
  strand.continue_elsewhere(); // kernels run on the executor's threads
  queue.release_reference();
}

} // namespace falx
