// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "command.hpp"
#include "devices/device_state.hpp"
#include "falx/handle.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace falx {

enum class barrier : unsigned char;

struct after_submission;
struct requirement;

/// The queues behind one sycl::queue that reaches several devices: the queue itself, the *head*, for its own
/// device, and a *branch* for each other device that a command was submitted to. Keeps the order that the
/// user knows the queue to have. Belongs to the head, as the branches do. Thread-safe.
class multi_device_queue {
public:
  /// \p devices are those that commands go to by the scheduler's choice, the head's among them; empty if only
  /// AdaptiveCpp_retarget sends them elsewhere. \p is_retargetable says whether it may.
  multi_device_queue(queue_state& head, std::vector<handle<device_state>> devices, bool is_retargetable);
  ~multi_device_queue();
  multi_device_queue(const multi_device_queue&) = delete;
  multi_device_queue& operator=(const multi_device_queue&) = delete;

  const std::vector<handle<device_state>>& devices() const noexcept { return devices_; }
  bool has_choice() const noexcept { return !devices_.empty(); }
  bool is_retargetable() const noexcept { return is_retargetable_; }

  /// The queue for \p device, made when it is first needed.
  queue_state& branch(device_state& device);
  /// All but the head.
  std::vector<queue_state*> branches();

  /// As queue_state::submit, for a command of any queue of the family.
  void submit(const handle<command>& self, std::vector<handle<command>> dependencies,
              std::span<const requirement> requirements, barrier kind, after_submission& after);
  void drop_complete();
  /// Polls for old commands that are done, unless that was done a moment ago. How many nanoseconds ago it
  /// was.
  std::uint64_t poll_sometimes();
  /// In-order: the command submitted last; null if it is complete.
  handle<command> last();

private:
  queue_state& head_;
  const std::vector<handle<device_state>> devices_;
  const bool is_retargetable_;

  std::atomic<std::uint64_t> polled_at_{0};

  std::mutex branches_mutex_;
  std::vector<queue_state*> branches_;

  /// Held while a command is submitted, so that the queues of the family see commands in one order. Comes
  /// before the queues' own.
  std::mutex order_mutex_;
  /// In-order: the command submitted last.
  handle<command> last_;
  /// Out-of-order: the barrier submitted last.
  handle<command> barrier_;
};

} // namespace falx
