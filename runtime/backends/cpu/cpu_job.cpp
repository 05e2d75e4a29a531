// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_job.hpp"

#include "diagnostics/race_detection.hpp"
#include "process/spinning.hpp"

#include <cassert>
#include <thread>

namespace falx {
namespace {

/// A holder of the list's lock that loses its processor keeps others for a time slice, unless they yield.
constexpr unsigned SPINS_BEFORE_YIELD = 256;

} // namespace

void cpu_job_list::lock() noexcept {
  for (unsigned spins = 0; locked_.exchange(true, std::memory_order_acquire);)
    while (locked_.load(std::memory_order_relaxed))
      if (++spins % SPINS_BEFORE_YIELD == 0)
        std::this_thread::yield();
      else
        spin_pause();
}

void cpu_job_list::push(cpu_job& job) noexcept {
  job.next = nullptr;
  publish(&job);
  lock();
  assert((first_ == nullptr) == (last_ == nullptr) && &job != last_ && "a job is in the list once");
  (last_ != nullptr ? last_->next : first_) = &job;
  last_ = &job;
  size_.fetch_add(1, std::memory_order_seq_cst);
  unlock();
}

cpu_job* cpu_job_list::pop() noexcept {
  if (size_.load(std::memory_order_relaxed) == 0)
    return nullptr;
  lock();
  cpu_job* const job = first_;
  if (job != nullptr) {
    first_ = job->next;
    if (first_ == nullptr)
      last_ = nullptr;
    [[maybe_unused]] const std::uint32_t before = size_.fetch_sub(1, std::memory_order_relaxed);
    assert((before == 1) == (first_ == nullptr) && "the list has not as many jobs as were counted");
  }
  unlock();
  if (job != nullptr)
    observe(job);
  return job;
}

} // namespace falx
