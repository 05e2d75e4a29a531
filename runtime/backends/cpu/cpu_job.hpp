// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>

namespace falx {

/// Something that a thread can do now and that never blocks. Linked into the list of ready jobs by itself.
struct cpu_job {
  explicit cpu_job(void (*the_function)(cpu_job&) noexcept) noexcept : run(the_function) {}
  void (*run)(cpu_job&) noexcept;
  cpu_job* next = nullptr;
};

/// A list guarded by a lock so short that sleeping would cost more than spinning.
class cpu_job_list {
public:
  void push(cpu_job& job) noexcept;
  /// Null if there is none.
  cpu_job* pop() noexcept;
  /// Sequentially consistent, for the protocol between those who post and those about to sleep.
  bool is_empty() const noexcept { return size() == 0; }
  std::uint32_t size() const noexcept { return size_.load(std::memory_order_seq_cst); }

private:
  void lock() noexcept;
  void unlock() noexcept { locked_.store(false, std::memory_order_release); }

  alignas(64) std::atomic<bool> locked_{false};
  cpu_job* first_ = nullptr;
  cpu_job* last_ = nullptr;
  alignas(64) std::atomic<std::uint32_t> size_{0};
};

} // namespace falx
