// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/queue.hpp"

#include "backend_names.hpp"
#include "command_group.hpp"
#include "context_state.hpp"
#include "device_state.hpp"
#include "native_lookup.hpp"
#include "platform_state.hpp"
#include "queue_state.hpp"

#include <utility>

namespace sycl {
namespace {

falx::handle<falx::queue_state> make_queue_state(const context& of, const device& on,
                                                 const async_handler& handler,
                                                 const property_list& properties) {
  return falx::handle<falx::queue_state>::adopt(
      new falx::queue_state(detail::internals::state(of), detail::internals::state(on), handler, properties));
}

context default_context(const device& of) {
  return detail::internals::make<context>(falx::context_state::default_for(*detail::internals::state(of)));
}

} // namespace

queue::queue(const property_list& propList) : queue(device(), async_handler(), propList) {}

queue::queue(const async_handler& asyncHandler, const property_list& propList)
    : queue(device(), asyncHandler, propList) {}

queue::queue(const device& syclDevice, const property_list& propList)
    : queue(syclDevice, async_handler(), propList) {}

queue::queue(const device& syclDevice, const async_handler& asyncHandler, const property_list& propList)
    : queue(default_context(syclDevice), syclDevice, asyncHandler, propList) {}

queue::queue(const context& syclContext, const device& syclDevice, const property_list& propList)
    : queue(syclContext, syclDevice, async_handler(), propList) {}

queue::queue(const context& syclContext, const device& syclDevice, const async_handler& asyncHandler,
             const property_list& propList)
    : state_(make_queue_state(syclContext, syclDevice, asyncHandler, propList)) {}

device queue::select_among(const context& devices, detail::selector_reference selector) {
  const std::vector<device> candidates = devices.get_devices();
  const device* best = nullptr;
  int best_score = -1;
  for (const device& candidate : candidates)
    if (const int score = selector.score(selector.selector, candidate); score > best_score) {
      best = &candidate;
      best_score = score;
    }
  if (best == nullptr)
    throw exception(errc::runtime, "queue: the device selector gives every device of the context a negative "
                                   "score; construct the context from a device that it accepts");
  return *best;
}

backend queue::get_backend() const noexcept {
  return falx::backend_of(state_->device().platform().backend());
}

context queue::get_context() const {
  return detail::internals::make<context>(falx::handle<falx::context_state>::share(&state_->context()));
}

device queue::get_device() const {
  return detail::internals::make<device>(falx::handle<falx::device_state>::share(&state_->device()));
}

bool queue::is_in_order() const {
  return state_->is_in_order();
}

const property_list& queue::properties() const noexcept {
  return state_->properties();
}

event queue::submit_function(detail::command_group_function function) {
  falx::command_group group(*state_);
  handler the_handler = handler(group);
  function.call(function.object, the_handler);
  return detail::internals::make<event>(group.submit());
}

event queue::submit_function(detail::command_group_function function, const queue& secondary) {
  try {
    return submit_function(function);
  } catch (const exception&) {
    if (secondary == *this)
      throw;
    return queue(secondary).submit_function(function);
  }
}

void queue::wait() {
  state_->wait();
  falx::wait_for_foreign_work(*state_);
}

void queue::wait_and_throw() {
  wait();
  state_->throw_asynchronous();
}

void queue::throw_asynchronous() {
  state_->poll();
  state_->throw_asynchronous();
}

bool queue::ext_oneapi_empty() const {
  return state_->is_empty();
}

} // namespace sycl
