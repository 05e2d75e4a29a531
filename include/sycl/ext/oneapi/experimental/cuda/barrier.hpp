// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/feature_test.hpp"

#include <cstdint>

/// \file
/// sycl_ext_oneapi_cuda_async_barrier.

namespace sycl::ext::oneapi::experimental::cuda {

/// A group barrier in two steps: work-items arrive, do something else, and wait until a number of them,
/// chosen beforehand, have arrived. It lives in local memory, as an element of a local accessor, and nowhere
/// else. A barrier goes from cycle to cycle: after the last arrival the count starts anew, and a work-item
/// must have waited for (or successfully tested) a cycle before anybody arrives in the next one.
///
/// Kernels that use the class need a device with aspect::ext_oneapi_cuda_async_barrier; launching them on
/// another one throws errc::kernel_not_supported.
class barrier {
public:
  /// What an arrival gives and a wait takes: it stands for the cycle of the arrival, which is current or the
  /// one before. Any other is undefined behaviour.
  using arrival_token = std::uint64_t;

  barrier(const barrier& other) = delete;
  barrier(barrier&& other) noexcept = delete;
  barrier& operator=(const barrier& other) = delete;
  barrier& operator=(barrier&& other) noexcept = delete;

  /// Sets the number of arrivals that complete a cycle, at most max(). One work-item calls it; the others
  /// need a group_barrier before they use the barrier.
  void initialize(std::uint32_t expected_count) { __falx_async_barrier_initialize(&state_, expected_count); }
  /// Ends the use of a barrier, so that its memory may serve for something else. One work-item calls it, with
  /// group barriers between this and the others' last use, and between this and the next use of the memory.
  /// All that may follow is initialize.
  void invalidate() { __falx_async_barrier_invalidate(&state_); }

  arrival_token arrive() { return __falx_async_barrier_arrive(&state_); }
  /// Arrives, and lowers the number of arrivals that later cycles expect by one.
  arrival_token arrive_and_drop() { return __falx_async_barrier_arrive_and_drop(&state_); }
  /// Arrives \p count times, which must be fewer than the cycle still lacks.
  arrival_token arrive_no_complete(std::int32_t count) {
    return __falx_async_barrier_arrive_no_complete(&state_, static_cast<std::uint32_t>(count));
  }
  /// The same, and lowers the number of arrivals that later cycles expect by \p count.
  arrival_token arrive_and_drop_no_complete(std::int32_t count) {
    return __falx_async_barrier_arrive_and_drop_no_complete(&state_, static_cast<std::uint32_t>(count));
  }

  /// Arrives when all asynchronous copies that this work-item has begun are complete. The cycle expects one
  /// arrival more beforehand, so that in the end nothing has changed.
  void arrive_copy_async() { __falx_async_barrier_arrive_after_copies(&state_); }
  /// Arrives when all asynchronous copies that this work-item has begun are complete: one of the arrivals
  /// that the cycle expects.
  void arrive_copy_async_no_inc() { __falx_async_barrier_arrive_after_copies_no_inc(&state_); }

  /// Returns when the cycle of \p arrival is complete.
  void wait(arrival_token arrival) { __falx_async_barrier_wait(&state_, arrival); }
  /// Whether wait would return at once.
  bool test_wait(arrival_token arrival) { return __falx_async_barrier_test(&state_, arrival); }
  void arrive_and_wait() { wait(arrive()); }

  /// The largest number of arrivals that a cycle can expect or lack.
  static constexpr std::uint64_t max() { return (std::uint64_t{1} << 20) - 1; }

private:
  /// Counters in a form of the device's own.
  std::uint64_t state_;
};

} // namespace sycl::ext::oneapi::experimental::cuda
