// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_stream.hpp"

#include "cuda_completion_thread.hpp"
#include "diagnostics/environment.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <thread>

namespace falx {
namespace {

bool driver_waits() noexcept {
  // Does not throw: the environment was right when the device was found.
  static const bool wanted = the_environment().cuda_wait == cuda_wait::synchronize;
  return wanted;
}

/// How long a waiting thread polls the driver before it sleeps in it. Sleeping and waking take some 50 µs.
constexpr std::uint64_t SPIN_NANOSECONDS = 50'000'000; // of which they are a thousandth
constexpr std::uint64_t UNYIELDING_NANOSECONDS = 100'000;
/// Recording an event takes as long as a third of a launch.
constexpr std::uint64_t COMMANDS_PER_MARKER = 128;

} // namespace

cuda_stream::cuda_stream(cuda_context& context, cuda_clock& clock, queue_priority priority)
    : context_(context), clock_(clock) {
  const cuda_current_context current(context);
  if (priority == queue_priority::normal) {
    context.check(cuda::api().cuStreamCreate(&native_, cuda::STREAM_NON_BLOCKING), "making a stream");
  } else {
    int least = 0, greatest = 0; // both 0 if the device has no priorities
    context.check(cuda::api().cuCtxGetStreamPriorityRange(&least, &greatest), "asking for its priorities");
    context.check(cuda::api().cuStreamCreateWithPriority(&native_, cuda::STREAM_NON_BLOCKING,
                                                         priority == queue_priority::high ? greatest : least),
                  "making a stream");
  }
  context.add(*this);
}

cuda_stream::cuda_stream(cuda_context& context, cuda_clock& clock, cuda::stream_handle native)
    : context_(context), clock_(clock), native_(native), is_shared_with_program_(true) {
  context.add(*this);
}

std::uint64_t cuda_stream::announce(command_view& self) noexcept {
  assert(of(self) == nullptr && "a command is given to one stream");
  const std::uint64_t number = issued_.load(std::memory_order_relaxed) + 1;
  self.slot().emplace<place>(*this, number);
  return number;
}

cuda_stream::details& cuda_stream::details_of(command_view& self) {
  std::unique_ptr<details>& more = place_of(self).more;
  if (more == nullptr)
    more = std::make_unique<details>();
  return *more;
}

void cuda_stream::begin_profile(command_view& self) {
  self.mark_running();
  details_of(self).profile = std::make_unique<cuda_profile>(clock_, native_);
  set_serial(false); // its time begins when the one before has ended
}

void cuda_stream::end_profile(command_view& self) {
  details_of(self).profile->end(native_);
  set_serial(false);
}

void cuda_stream::mark_output(command_view& self, std::uint64_t number) {
  auto marker = std::make_shared<cuda_marker>(context_, number);
  context_.check(cuda::api().cuEventRecord(marker->event, native_), "recording an event");
  details_of(self).output = std::move(marker);
}

void cuda_stream::append(command_view& self, std::uint64_t number) noexcept {
  assert(number == issued_.load() + 1 && "numbers are the native order");
  list_lock_.lock();
  assert((first_ == nullptr) == (last_ == nullptr) && (last_ == nullptr || number_of(*last_) < number) &&
         "commands complete in the order of their numbers");
  if (last_ == nullptr)
    first_ = &self;
  else
    place_of(*last_).next = &self;
  last_ = &self;
  list_lock_.unlock();
  issued_.store(number, std::memory_order_release);
}

void cuda_stream::order_after(std::span<const handle<command_view>> others) {
  for (const handle<command_view>& other : others) {
    cuda_stream* const stream = of(*other);
    if (stream == nullptr || stream == this || other->is_complete() || stream->context_.is_lost() ||
        stream->done_.load(std::memory_order_acquire) >= number_of(*other))
      continue;
    const std::shared_ptr<cuda_marker> marker = stream->marker_for(number_of(*other));
    context_.check(cuda::api().cuStreamWaitEvent(native_, marker->event, 0), "ordering streams");
    set_serial(false);
  }
}

std::shared_ptr<cuda_marker> cuda_stream::existing_marker(std::uint64_t number) {
  if (!has_markers_.load(std::memory_order_acquire))
    return nullptr;
  const std::lock_guard lock(markers_mutex_);
  const auto found = std::ranges::lower_bound(markers_, number, {}, &cuda_marker::number);
  return found != markers_.end() ? *found : nullptr;
}

std::shared_ptr<cuda_marker> cuda_stream::marker_for(std::uint64_t number) {
  const std::lock_guard lock(markers_mutex_);
  const auto found = std::ranges::lower_bound(markers_, number, {}, &cuda_marker::number);
  if (found != markers_.end())
    return *found;
  const cuda_current_context current(context_);
  // Read before the event is recorded, which therefore comes after all these commands.
  auto marker = std::make_shared<cuda_marker>(context_, issued_.load(std::memory_order_acquire));
  context_.check(cuda::api().cuEventRecord(marker->event, native_), "recording an event");
  assert(marker->number >= number && (markers_.empty() || markers_.back()->number < marker->number) &&
         "a marker stands for no command that is not issued");
  markers_.push_back(marker);
  has_markers_.store(true, std::memory_order_release);
  return marker;
}

void cuda_stream::drop_markers() noexcept {
  if (!has_markers_.load(std::memory_order_acquire))
    return;
  const std::uint64_t done = done_.load(std::memory_order_acquire);
  const std::lock_guard lock(markers_mutex_);
  std::erase_if(markers_, [&](const std::shared_ptr<cuda_marker>& marker) { return marker->number <= done; });
  has_markers_.store(!markers_.empty(), std::memory_order_release);
}

void cuda_stream::wait_for(command_view& self) noexcept {
  wait_until_complete(self);
  context_.trials().look(context_);
}

void cuda_stream::wait_until_complete(command_view& self) noexcept {
  const std::uint64_t number = number_of(self);
  const std::uint64_t since = now();
  while (!self.is_complete()) {
    if (context_.is_lost())
      complete_all_lost();
    else if (done_.load(std::memory_order_acquire) >= number)
      complete_up_to(number);
    else if (driver_waits() && is_last(self))
      take_answer(cuda::api().cuStreamSynchronize(native_), number);
    else
      advance(number);
    if (self.is_complete())
      return;
    const std::uint64_t waited = now() - since;
    if (done_.load(std::memory_order_acquire) >= number)
      std::this_thread::yield(); // another thread completes it
    else if (waited > SPIN_NANOSECONDS)
      block_until(number);
    else if (waited > UNYIELDING_NANOSECONDS)
      std::this_thread::yield(); // there may be more threads that wait than processors
  }
}

void cuda_stream::poll(command_view& self) noexcept {
  if (self.is_complete())
    return;
  if (context_.is_lost())
    return complete_all_lost();
  const std::uint64_t number = number_of(self);
  const std::shared_ptr<cuda_marker> unreached = advance_markers();
  if (done_.load(std::memory_order_acquire) >= number)
    return complete_up_to(number); // unless it is being completed
  try {
    if (unreached == nullptr)
      advance(number);
    // Commands that are polled while others are submitted behind them, as in a stream of launches without
    // a pause, would never be found done: the stream is never empty.
    if (done_.load(std::memory_order_acquire) < number && !is_last(self) && is_far_from_markers(number))
      marker_for(number);
  } catch (...) {
    // Lost, which the next poll sees, or no memory for an event.
  }
}

bool cuda_stream::is_far_from_markers(std::uint64_t number) {
  const std::lock_guard lock(markers_mutex_);
  return markers_.empty() || markers_.back()->number + COMMANDS_PER_MARKER <= number;
}

std::shared_ptr<cuda_marker> cuda_stream::advance_markers() noexcept {
  while (std::shared_ptr<cuda_marker> oldest = existing_marker(done_.load(std::memory_order_acquire) + 1)) {
    take_answer(cuda::api().cuEventQuery(oldest->event), oldest->number);
    if (done_.load(std::memory_order_acquire) < oldest->number)
      return oldest;
  }
  return nullptr;
}

void cuda_stream::notify(command_view& self) noexcept {
  const std::uint64_t number = number_of(self);
  std::uint64_t watched = watched_.load(std::memory_order_relaxed);
  while (watched < number && !watched_.compare_exchange_weak(watched, number, std::memory_order_seq_cst))
    ;
  try {
    if (issued_.load(std::memory_order_acquire) >= number)
      marker_for(number);
  } catch (...) {
    // Lost, or no memory for an event; the completion thread will query the whole stream.
  }
  cuda_completion_thread::instance().watch(*this);
}

bool cuda_stream::complete_watched() noexcept {
  for (;;) {
    const std::uint64_t watched = watched_.load(std::memory_order_seq_cst);
    const std::uint64_t done = done_.load(std::memory_order_acquire);
    if (done >= watched)
      return false;
    if (context_.is_lost()) {
      complete_all_lost();
      return false;
    }
    advance(done + 1); // what the first marker stands for
    if (done_.load(std::memory_order_acquire) == done)
      return true;
  }
}

void cuda_stream::advance(std::uint64_t number) noexcept {
  try {
    if (const std::shared_ptr<cuda_marker> marker = existing_marker(number)) {
      take_answer(cuda::api().cuEventQuery(marker->event), marker->number);
      return;
    }
    const std::uint64_t issued = issued_.load(std::memory_order_acquire);
    std::optional<cuda_current_context> current;
    if (is_default_stream()) [[unlikely]]
      current.emplace(context_);
    take_answer(cuda::api().cuStreamQuery(native_), issued);
    // More is being submitted, and would be waited for as well.
    if (done_.load(std::memory_order_acquire) < number && issued_.load(std::memory_order_acquire) != issued)
      marker_for(number);
  } catch (...) {
    // No event to be had: the stream is queried again.
  }
}

void cuda_stream::block_until(std::uint64_t number) noexcept {
  try {
    const std::shared_ptr<cuda_marker> marker = marker_for(number);
    take_answer(cuda::api().cuEventSynchronize(marker->event), marker->number);
  } catch (...) {
    std::this_thread::yield();
  }
}

void cuda_stream::take_answer(cuda::result answer, std::uint64_t number) noexcept {
  if (answer == cuda::result::success) {
    complete_up_to(number);
  } else if (answer != cuda::result::not_ready) {
    context_.lose(answer);
    complete_all_lost();
  }
}

} // namespace falx
