// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_queue.hpp"

#include <algorithm>
#include <utility>

namespace falx {

cuda_stream& cuda_stream_pool::take(queue_priority priority) {
  const std::lock_guard lock(mutex_);
  std::vector<cuda_stream*>& free = free_[std::size_t(priority)];
  if (free.empty()) {
    all_.push_back(std::make_unique<cuda_stream>(context_, clock_, priority));
    free.reserve(all_.size());
    return *all_.back();
  }
  // Kernels overlap only in streams that no program has.
  const auto own = std::ranges::find_if(free.rbegin(), free.rend(),
                                        [](cuda_stream* each) { return !each->is_shared_with_program(); });
  std::swap(own != free.rend() ? *own : free.back(), free.back());
  cuda_stream* const stream = free.back();
  free.pop_back();
  return *stream;
}

void cuda_stream_pool::give(cuda_stream& stream, queue_priority priority) noexcept {
  const std::lock_guard lock(mutex_);
  free_[std::size_t(priority)].push_back(&stream);
}

cuda_stream& cuda_stream_pool::adopt(cuda::stream_handle native) {
  const std::lock_guard lock(mutex_);
  for (const std::unique_ptr<cuda_stream>& known : adopted_)
    if (known->native() == native)
      return *known;
  adopted_.push_back(std::make_unique<cuda_stream>(context_, clock_, native));
  return *adopted_.back();
}

cuda_queue::cuda_queue(cuda_stream_pool& pool, cuda_stream& adopted) noexcept
    : pool_(pool), is_in_order_(true), is_adopted_(true) {
  streams_[0].store(&adopted, std::memory_order_relaxed);
  program_.store(&adopted, std::memory_order_release);
}

cuda_queue& cuda_queue::of(queue_view& queue, cuda_stream_pool& pool) {
  backend_queue* native = queue.native();
  if (native == nullptr) [[unlikely]]
    native = &queue.set_native(std::make_unique<cuda_queue>(pool, queue.is_in_order(), queue.priority()));
  return static_cast<cuda_queue&>(*native);
}

cuda_queue::~cuda_queue() {
  if (is_adopted_)
    return;
  for (const std::atomic<cuda_stream*>& stream : streams_)
    if (cuda_stream* const borrowed = stream.load(std::memory_order_acquire))
      pool_.give(*borrowed, priority_);
}

cuda_stream& cuda_queue::stream(std::size_t index) {
  std::atomic<cuda_stream*>& place = streams_[index];
  if (cuda_stream* const made = place.load(std::memory_order_acquire))
    return *made;
  const std::lock_guard lock(mutex_);
  if (cuda_stream* const made = place.load(std::memory_order_relaxed))
    return *made;
  cuda_stream& taken = pool_.take(priority_);
  place.store(&taken, std::memory_order_release);
  return taken;
}

cuda_stream& cuda_queue::stream_for_program() {
  cuda_stream& given = stream(is_in_order_ ? 0 : STREAMS);
  given.share_with_program();
  program_.store(&given, std::memory_order_release);
  return given;
}

bool cuda_queue::is_mine(const cuda_stream& stream) const noexcept {
  for (const std::atomic<cuda_stream*>& mine : streams_)
    if (mine.load(std::memory_order_relaxed) == &stream)
      return true;
  return false;
}

cuda_stream& cuda_queue::stream_for(std::span<const handle<command_view>> after,
                                    std::optional<std::uint32_t> preferred) {
  if (is_in_order_)
    return stream(0);
  if (preferred) [[unlikely]]
    return stream(*preferred % STREAMS);
  for (const handle<command_view>& other : after)
    if (cuda_stream* const its = cuda_stream::of(*other);
        its != nullptr && its->is_last(*other) && is_mine(*its))
      return *its;
  for (std::size_t i = 0; i < STREAMS; ++i)
    if (cuda_stream& candidate = stream(i); candidate.is_known_idle())
      return candidate;
  return stream(turn_.fetch_add(1, std::memory_order_relaxed) % STREAMS);
}

} // namespace falx
