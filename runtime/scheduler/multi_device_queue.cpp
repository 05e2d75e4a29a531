// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "multi_device_queue.hpp"

#include "process/spinning.hpp"
#include "queue_state.hpp"

#include <cassert>
#include <utility>

namespace falx {

multi_device_queue::multi_device_queue(queue_state& head, std::vector<handle<device_state>> devices,
                                       bool is_retargetable)
    : head_(head), devices_(std::move(devices)), is_retargetable_(is_retargetable) {}

multi_device_queue::~multi_device_queue() {
  for (queue_state* const branch : branches_)
    branch->release_reference();
}

queue_state& multi_device_queue::branch(device_state& device) {
  if (&head_.device() == &device)
    return head_;
  const std::lock_guard lock(branches_mutex_);
  for (queue_state* const known : branches_)
    if (&known->device() == &device)
      return *known;
  branches_.reserve(branches_.size() + 1);
  branches_.push_back(queue_state::make_branch(head_, device).detach());
  return *branches_.back();
}

std::vector<queue_state*> multi_device_queue::branches() {
  const std::lock_guard lock(branches_mutex_);
  return branches_;
}

std::uint64_t multi_device_queue::poll_sometimes() {
  // A poll calls every device's driver, which takes as long as some submissions.
  constexpr std::uint64_t INTERVAL_NANOSECONDS = 20'000;
  constexpr std::size_t MOST = 8;
  const std::uint64_t time = now();
  const std::uint64_t ago = time - polled_at_.load(std::memory_order_relaxed);
  if (ago < INTERVAL_NANOSECONDS)
    return ago;
  polled_at_.store(time, std::memory_order_relaxed);
  head_.poll_old(MOST);
  for (queue_state* const branch : branches())
    branch->poll_old(MOST);
  return 0;
}

void multi_device_queue::submit(const handle<command>& self, std::vector<handle<command>> dependencies,
                                std::span<const requirement> requirements, barrier kind,
                                after_submission& after) {
  queue_state& place = *self->queue();
  assert(&place.head() == &head_ && "the command was made for another queue");
  const auto come_after = [&](const handle<command>& other) {
    if (other && other->queue() != &place && !other->is_complete())
      dependencies.push_back(other);
  };
  const std::lock_guard lock(order_mutex_);
  if (head_.is_in_order()) {
    come_after(last_); // commands of one queue are in order by themselves
  } else {
    if (kind == barrier::behind_all) {
      head_.append_unfinished(dependencies);
      for (queue_state* const branch : branches())
        branch->append_unfinished(dependencies);
    }
    come_after(barrier_);
  }
  place.submit_here(self, std::move(dependencies), requirements, kind, after);
  if (head_.is_in_order())
    after.dropped.push_back(std::exchange(last_, self));
  else if (kind != barrier::none)
    after.dropped.push_back(std::exchange(barrier_, self));
}

handle<command> multi_device_queue::last() {
  const std::lock_guard lock(order_mutex_);
  return last_ && !last_->is_complete() ? last_ : handle<command>();
}

void multi_device_queue::drop_complete() {
  handle<command> last, barrier; // dropped without the lock
  {
    const std::lock_guard lock(order_mutex_);
    if (last_ && last_->is_complete())
      last = std::move(last_);
    if (barrier_ && barrier_->is_complete())
      barrier = std::move(barrier_);
  }
  for (queue_state* const branch : branches())
    branch->drop_complete();
}

} // namespace falx
