// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_strand.hpp"

#include "cpu_work.hpp"
#include "process/spinning.hpp"

#include <cassert>
#include <memory>
#include <utility>

namespace falx {
namespace {

/// A few microseconds: a stream of submissions then costs one atomic operation each, without a job to post.
constexpr unsigned LINGER_SPINS = 100;

} // namespace

cpu_strand& cpu_strand::of(cpu_executor& executor, queue_view& queue) {
  assert(queue.is_in_order() && "commands of other queues have no order");
  backend_queue* strand = queue.native();
  if (strand == nullptr) [[unlikely]]
    strand = &queue.set_native(std::make_unique<cpu_strand>(executor, queue));
  return static_cast<cpu_strand&>(*strand);
}

void cpu_strand::push(command_view& self) noexcept {
  assert(self.queue() == &queue_ && &self != idle() && "a strand runs the commands of one queue");
  link& place = self.slot().emplace<link>();
  publish(&self);
  command_view* before = arrived_.load(std::memory_order_relaxed);
  do
    place.next = before == idle() ? nullptr : before;
  while (
      !arrived_.compare_exchange_weak(before, &self, std::memory_order_acq_rel, std::memory_order_relaxed));
  if (before == idle())
    executor_.post(*this);
}

bool cpu_strand::become_idle() noexcept {
  if (ordered_ != nullptr)
    return false;
  command_view* none = nullptr;
  return arrived_.compare_exchange_strong(none, idle(), std::memory_order_acq_rel, std::memory_order_relaxed);
}

void cpu_strand::continue_elsewhere() noexcept {
  if (!become_idle())
    executor_.post(*this);
}

command_view* cpu_strand::pop() noexcept {
  if (become_idle())
    return nullptr;
  if (ordered_ == nullptr) {
    command_view* newest = arrived_.exchange(nullptr, std::memory_order_acquire);
    while (newest != nullptr) {
      command_view* const older = next(*newest);
      next(*newest) = ordered_;
      ordered_ = newest;
      newest = older;
    }
  }
  command_view* const first = ordered_;
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
  const queue_hold hold(queue_);
  for (;;) {
    command_view* const self = pop();
    if (self == nullptr || !execute(*self))
      break;
    if (cpu_executor::is_help_over()) {
      continue_elsewhere();
      break;
    }
    linger();
  }
}

bool cpu_strand::execute(command_view& self) noexcept {
  const operation& what = self.what();
  if (std::holds_alternative<host_operation>(what)) {
    self.run_host_task(&resume_after_host_task);
    return false;
  }
  if (std::holds_alternative<empty_operation>(what))
    self.mark_running();
  else if (!run_work(executor_, self, &resume_after))
    return false;
  self.complete();
  return true;
}

void cpu_strand::resume_after(command_view& self) noexcept {
  cpu_strand& strand = of(self);
  const queue_hold hold(strand.queue_);
  self.complete();
  strand.drain();
}

void cpu_strand::resume_after_host_task(command_view& self, std::exception_ptr error) noexcept {
  cpu_strand& strand = of(self);
  const queue_hold hold(strand.queue_);
  // What the task captured goes last: its destructors may wait for commands that come later in the strand.
  const finished_work work = self.finish_work();
  self.complete(std::move(error));
  strand.continue_elsewhere(); // kernels run on the executor's threads
}

} // namespace falx
