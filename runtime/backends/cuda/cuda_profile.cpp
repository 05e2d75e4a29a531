// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_profile.hpp"

#include "process/spinning.hpp"

#include <algorithm>

namespace falx {
namespace {

constexpr std::uint64_t LONGEST_USE_NANOSECONDS = 1'000'000'000;
/// The attempt that took least tells best when the event happened.
constexpr int ATTEMPTS = 4;

std::uint64_t nanoseconds_between(cuda::event_handle earlier, cuda::event_handle later) noexcept {
  float milliseconds = 0;
  cuda::api().cuEventElapsedTime(&milliseconds, earlier, later);
  return static_cast<std::uint64_t>(std::max(0.0, static_cast<double>(milliseconds) * 1e6));
}

} // namespace

std::shared_ptr<const cuda_moment> cuda_clock::recent_moment() {
  const std::lock_guard lock(mutex_);
  if (latest_ == nullptr || now() - latest_->host_time > LONGEST_USE_NANOSECONDS)
    latest_ = take_moment();
  return latest_;
}

std::shared_ptr<cuda_moment> cuda_clock::take_moment() {
  if (stream_ == nullptr)
    context_.check(cuda::api().cuStreamCreate(&stream_, cuda::STREAM_NON_BLOCKING), "making a stream");
  std::shared_ptr<cuda_moment> best;
  std::uint64_t least = ~std::uint64_t{0};
  for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
    auto moment = std::make_shared<cuda_moment>(context_, context_.timed_events().take());
    const std::uint64_t before = now();
    context_.check(cuda::api().cuEventRecord(moment->event, stream_), "recording an event");
    context_.check(cuda::api().cuEventSynchronize(moment->event), "waiting for an event");
    const std::uint64_t took = now() - before;
    if (took >= least)
      continue;
    least = took;
    moment->host_time = before + took / 2;
    best = std::move(moment);
  }
  return best;
}

cuda_profile::cuda_profile(cuda_clock& clock, cuda::stream_handle stream)
    : context_(clock.context()), moment_(clock.recent_moment()), start_(context_.timed_events().take()),
      end_(context_.timed_events().take()) {
  context_.check(cuda::api().cuEventRecord(start_, stream), "recording an event");
}

cuda_profile::~cuda_profile() {
  context_.timed_events().give(start_);
  context_.timed_events().give(end_);
}

void cuda_profile::end(cuda::stream_handle stream) {
  context_.check(cuda::api().cuEventRecord(end_, stream), "recording an event");
}

void cuda_profile::report_times(command_view& self) const noexcept {
  // Clocks that differ by a microsecond must not have work begin before it was submitted.
  const std::uint64_t start =
      std::max(moment_->host_time + nanoseconds_between(moment_->event, start_), self.submit_time());
  self.set_times(start, start + nanoseconds_between(start_, end_));
}

} // namespace falx
