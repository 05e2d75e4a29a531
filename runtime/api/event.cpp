// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/event.hpp"

#include "devices/backend_names.hpp"
#include "devices/context_state.hpp"
#include "devices/device_state.hpp"
#include "devices/platform_state.hpp"
#include "process/process_state.hpp"
#include "scheduler/command.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/exception.hpp"
#include "sycl/khr/first_draft_commands.hpp"
#include "sycl/khr/free_function_commands.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace sycl {

namespace {

/// The command that an event means now, kept for as long as one of these lives.
class meant_command {
public:
  explicit meant_command(const falx::handle<falx::command>& state) noexcept
      : kept_(state->stand_in_context() != nullptr ? falx::command::meant(state)
                                                   : falx::handle<falx::command>()),
        command_(kept_ ? kept_.get() : state.get()) {}
  falx::command& operator*() const noexcept { return *command_; }
  falx::command* operator->() const noexcept { return command_; }

private:
  const falx::handle<falx::command> kept_;
  falx::command* const command_;
};

} // namespace

event::event() : state_(falx::command::make_manual()) {
  state_->complete();
}

backend event::get_backend() const noexcept {
  if (const falx::context_state* const own = state_->stand_in_context())
    return falx::backend_of(own->devices().front()->platform().backend());
  const falx::queue_state* const queue = state_->queue();
  const falx::device_state& device = queue != nullptr ? queue->device() : falx::default_device();
  return falx::backend_of(device.platform().backend());
}

std::vector<event> event::get_wait_list() {
  std::vector<event> events;
  for (falx::handle<falx::command>& some : meant_command(state_)->wait_list())
    events.push_back(event(std::move(some)));
  return events;
}

/// SYCL has no state for an event that never happens.
static void wait_for(falx::command& some) {
  some.wait();
  if (falx::is_forked_child() && !some.is_complete()) [[unlikely]]
    falx::throw_forked_child("event::wait");
}

void event::wait() {
  wait_for(*meant_command(state_));
}

void event::wait(const std::vector<event>& eventList) {
  for (const event& some : eventList)
    wait_for(*meant_command(some.state_));
}

void event::wait_and_throw() {
  const meant_command meant(state_);
  wait_for(*meant);
  if (falx::queue_state* queue = meant->queue())
    queue->throw_asynchronous_with_upstream();
}

void event::wait_and_throw(const std::vector<event>& eventList) {
  wait(eventList);
  for (event some : eventList)
    some.wait_and_throw();
}

info::event_command_status event::execution_status() const {
  const meant_command meant(state_);
  meant->poll();
  switch (meant->current_status()) {
  case falx::command::status::waiting:
    return info::event_command_status::submitted;
  case falx::command::status::running:
    return info::event_command_status::running;
  case falx::command::status::complete:
    break;
  }
  return info::event_command_status::complete;
}

std::uint64_t event::profiled_time(profiled what) const {
  const meant_command meant(state_);
  if (meant->queue() == nullptr || !(meant->queue()->is_profiling() || meant->marks_moment()))
    throw exception(errc::invalid,
                    "event::get_profiling_info: the command's queue takes no times; construct the queue with "
                    "property::queue::enable_profiling");
  if (what == profiled::submit && !meant->marks_moment())
    return meant->submit_time();
  // The start may be known earlier, but only completion says so on every backend.
  meant->wait();
  return what == profiled::start && !meant->marks_moment() ? meant->start_time() : meant->end_time();
}

namespace khr {

event make_event(const context& c) {
  return sycl::detail::internals::make<event>(
      falx::command::make_stand_in(sycl::detail::internals::state(c)));
}

namespace detail {

void check_signal(const queue& q, const event& e) {
  const falx::context_state* const own = sycl::detail::internals::state(e)->stand_in_context();
  if (own == nullptr)
    throw exception(errc::invalid, "the event to signal belongs to a command for good; make one that can be "
                                   "used again with sycl::khr::make_event");
  if (own != &sycl::detail::internals::state(q)->context())
    throw exception(errc::invalid, "the event to signal was made for another context than the queue's; pass "
                                   "queue::get_context to sycl::khr::make_event");
}

void put_in_place(const event& made, const event& submitted) noexcept {
  sycl::detail::internals::state(made)->stand_for(sycl::detail::internals::state(submitted));
}

} // namespace detail

// Vectors of events are copied here alone, so that each program need not compile it.
wait_events::wait_events(const std::vector<event>& evts) : value(evts) {}

void event_barrier(handler& h, const std::vector<event>& events) {
  h.ext_oneapi_barrier(events);
}
void event_barrier(const queue& q, const std::vector<event>& events) {
  khr::submit(q, [&](handler& h) { khr::event_barrier(h, events); });
}

} // namespace khr
} // namespace sycl
