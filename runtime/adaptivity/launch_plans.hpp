// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

namespace falx {

class backend_device;
class loaded_kernel;

/// What launches of one kernel came to that found nothing to choose: no specialization constants, kernel
/// bundle, replaced functions, preferred group or captured values. One like the latest needs no checks, and
/// touches two lines of memory where these look at fifteen: behind a call of a driver most of them have left
/// the first cache. Finding is lock-free.
class launch_plans {
public:
  struct alignas(64) plan {
    const backend_device* device;
    /// As it was given, which passed all checks unchanged.
    launch_geometry geometry;
    /// Lives as long as the kernel's state.
    loaded_kernel* kernel;
    const char* kernel_name;
    /// Which captured pointers must lead to different memory (disjoint_pointers::of).
    std::uint64_t disjoint;
    /// The function object holds accessors.
    bool has_accessors;
  };

  /// Null if the latest plan is another one.
  const plan* find(const backend_device& device, const launch_geometry& geometry) const noexcept {
    static_assert(std::has_unique_object_representations_v<launch_geometry>);
    const plan* const latest = latest_.load(std::memory_order_acquire);
    return latest != nullptr && latest->device == &device &&
                   std::memcmp(&latest->geometry, &geometry, sizeof(geometry)) == 0
               ? latest
               : nullptr;
  }

  /// Does nothing once there are many: launches of ever new sizes gain nothing.
  void add(const plan& added) {
    const std::lock_guard lock(mutex_);
    if (plans_.size() == MOST)
      return;
    plans_.push_back(std::make_unique<const plan>(added));
    latest_.store(plans_.back().get(), std::memory_order_release);
  }

private:
  static constexpr std::size_t MOST = 32;

  std::atomic<const plan*> latest_{nullptr};
  std::mutex mutex_;
  /// Others may still read those that are not the latest.
  std::vector<std::unique_ptr<const plan>> plans_;
};

} // namespace falx
