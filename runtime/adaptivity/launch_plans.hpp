// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <type_traits>

namespace falx {

class backend_device;
class loaded_kernel;

/// What launches of one kernel came to that found nothing to choose: no specialization constants, kernel
/// bundle, replaced functions, preferred group or captured values. One like an earlier one needs no checks,
/// and if that was the latest it touches two lines of memory where these look at fifteen: behind a call of a
/// driver most of them have left the first cache. Thread-safe; finding is lock-free.
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

    bool is_for(const backend_device& some, const launch_geometry& given,
                std::uint64_t disjoint_there) const noexcept {
      static_assert(std::has_unique_object_representations_v<launch_geometry>);
      return device == &some && disjoint == disjoint_there &&
             std::memcmp(&geometry, &given, sizeof(geometry)) == 0;
    }
  };

  /// Null if there was no launch like that.
  const plan* find(const backend_device& device, const launch_geometry& geometry,
                   std::uint64_t disjoint) noexcept {
    const plan* const latest = latest_.load(std::memory_order_acquire);
    return latest == nullptr || latest->is_for(device, geometry, disjoint)
               ? latest
               : find_earlier(device, geometry, disjoint);
  }

  /// Does nothing if there is such a plan, and once there are many: launches of ever new sizes gain nothing.
  void add(const plan& added);

private:
  static constexpr std::size_t MOST = 32;

  const plan* find_earlier(const backend_device& device, const launch_geometry& geometry,
                           std::uint64_t disjoint) noexcept;

  std::atomic<const plan*> latest_{nullptr};
  std::atomic<std::size_t> count_{0};
  /// Of the first count_ plans, which tell most of them apart in two lines of memory.
  std::array<std::atomic<std::uint32_t>, MOST> hashes_{};
  /// Those never change and stay: others may read them.
  std::array<std::unique_ptr<const plan>, MOST> plans_;
  std::mutex mutex_; // held by who adds
};

} // namespace falx
