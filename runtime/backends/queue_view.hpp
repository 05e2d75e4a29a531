// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "process/ref_counted.hpp"

#include <atomic>
#include <memory>

namespace falx {

class backend_device;

/// What a backend keeps per queue: a stream, a list of work in order.
class backend_queue {
public:
  virtual ~backend_queue() = default;
};

/// How urgent a queue's commands are beside those of other queues of the device.
enum class queue_priority : unsigned char { normal, low, high };

/// A queue as its device's backend sees it, which tells queues apart by their addresses. The one class that
/// derives from it is queue_state. Thread-safe.
class queue_view {
public:
  queue_view(const queue_view&) = delete;
  queue_view& operator=(const queue_view&) = delete;

  /// Its commands run in the order in which they are handed over.
  bool is_in_order() const noexcept { return in_order_; }
  /// What the program asked for; where the device has no priorities it means nothing.
  queue_priority priority() const noexcept { return priority_; }
  /// The device that its commands are for.
  backend_device& backend() const noexcept { return backend_; }

  /// The backend's own object; null until it sets one.
  backend_queue* native() const noexcept { return native_.load(std::memory_order_acquire); }
  /// Keeps \p made, unless another thread was faster; gives the one kept.
  backend_queue& set_native(std::unique_ptr<backend_queue> made) noexcept {
    backend_queue* current = nullptr;
    if (native_.compare_exchange_strong(current, made.get(), std::memory_order_acq_rel))
      return *made.release();
    return *current;
  }

protected:
  /// References to \p lifetime keep the queue in memory.
  queue_view(ref_counted& lifetime, backend_device& backend, bool in_order, queue_priority priority) noexcept
      : lifetime_(lifetime), backend_(backend), in_order_(in_order), priority_(priority) {}
  ~queue_view() { delete native_.load(std::memory_order_acquire); }

private:
  friend class queue_hold;

  ref_counted& lifetime_;
  backend_device& backend_;
  const bool in_order_;
  const queue_priority priority_;
  std::atomic<backend_queue*> native_{nullptr};
};

/// While one lives, its queue stays in memory, which otherwise is only so as long as a command of the queue
/// is not complete.
class queue_hold {
public:
  explicit queue_hold(queue_view& queue) noexcept : lifetime_(queue.lifetime_) {
    lifetime_.retain_reference();
  }
  ~queue_hold() { lifetime_.release_reference(); }
  queue_hold(const queue_hold&) = delete;
  queue_hold& operator=(const queue_hold&) = delete;

private:
  ref_counted& lifetime_;
};

} // namespace falx
