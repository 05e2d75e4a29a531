// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/command_view.hpp"
#include "cuda_context.hpp"

#include <cstdint>
#include <memory>
#include <mutex>

namespace falx {

/// A moment that both the host's and the device's clock know.
struct cuda_moment {
  cuda_moment(cuda_context& the_context, cuda::event_handle the_event) noexcept
      : context(the_context), event(the_event) {}
  ~cuda_moment() { context.timed_events().give(event); }
  cuda_moment(const cuda_moment&) = delete;
  cuda_moment& operator=(const cuda_moment&) = delete;

  cuda_context& context;
  const cuda::event_handle event;
  std::uint64_t host_time = 0; // now()
};

/// Relates the device's times to the host's clock. The driver only tells how long after one event another one
/// was, in milliseconds of type float, so there is a new moment to count from every second. Thread-safe.
class cuda_clock {
public:
  explicit cuda_clock(cuda_context& context) noexcept : context_(context) {}
  /// With the context current.
  std::shared_ptr<const cuda_moment> recent_moment();
  cuda_context& context() const noexcept { return context_; }

private:
  std::shared_ptr<cuda_moment> take_moment();

  cuda_context& context_;
  std::mutex mutex_;
  cuda::stream_handle stream_ = nullptr;
  std::shared_ptr<const cuda_moment> latest_;
};

/// Events before and after the work of one command.
class cuda_profile {
public:
  /// With the context current. Records the beginning.
  cuda_profile(cuda_clock& clock, cuda::stream_handle stream);
  ~cuda_profile();
  cuda_profile(const cuda_profile&) = delete;
  cuda_profile& operator=(const cuda_profile&) = delete;

  void end(cuda::stream_handle stream);
  /// When the work is done.
  void report_times(command_view& self) const noexcept;

private:
  cuda_context& context_;
  const std::shared_ptr<const cuda_moment> moment_;
  const cuda::event_handle start_, end_;
};

} // namespace falx
