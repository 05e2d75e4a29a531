// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/event.hpp"

#include "devices/backend_names.hpp"
#include "devices/device_state.hpp"
#include "devices/platform_state.hpp"
#include "process/process_state.hpp"
#include "scheduler/command.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <utility>

namespace sycl {

event::event() : state_(falx::command::make_manual()) {
  state_->complete();
}

backend event::get_backend() const noexcept {
  const falx::queue_state* const queue = state_->queue();
  const falx::device_state& device = queue != nullptr ? queue->device() : falx::default_device();
  return falx::backend_of(device.platform().backend());
}

std::vector<event> event::get_wait_list() {
  std::vector<event> events;
  for (falx::handle<falx::command>& some : state_->wait_list())
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
  wait_for(*state_);
}

void event::wait(const std::vector<event>& eventList) {
  for (const event& some : eventList)
    wait_for(*some.state_);
}

void event::wait_and_throw() {
  wait_for(*state_);
  if (falx::queue_state* queue = state_->queue())
    queue->throw_asynchronous();
}

void event::wait_and_throw(const std::vector<event>& eventList) {
  wait(eventList);
  for (event some : eventList)
    some.wait_and_throw();
}

info::event_command_status event::execution_status() const {
  state_->poll();
  switch (state_->current_status()) {
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
  if (state_->queue() == nullptr || !state_->queue()->is_profiling())
    throw exception(errc::invalid,
                    "event::get_profiling_info: the command's queue takes no times; construct the queue with "
                    "property::queue::enable_profiling");
  if (what == profiled::submit)
    return state_->submit_time();
  // The start may be known earlier, but only completion says so on every backend.
  state_->wait();
  return what == profiled::start ? state_->start_time() : state_->end_time();
}

} // namespace sycl
