// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/queue.hpp"

#include "devices/backend_names.hpp"
#include "devices/context_state.hpp"
#include "devices/device_state.hpp"
#include "devices/native_lookup.hpp"
#include "devices/platform_state.hpp"
#include "scheduler/command_group.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/ext/oneapi/experimental/profiling_tag.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sycl {
namespace {

falx::handle<falx::queue_state> make_queue_state(const context& of, const device& on,
                                                 const async_handler& handler,
                                                 const property_list& properties) {
  return falx::handle<falx::queue_state>::adopt(
      new falx::queue_state(detail::internals::state(of), detail::internals::state(on), handler, properties));
}

/// What a queue over several devices is made of: the first is the one that queue::get_device gives.
std::vector<falx::handle<falx::device_state>> members(const std::vector<device>& devices) {
  std::vector<falx::handle<falx::device_state>> result;
  for (const device& each : devices) {
    const falx::handle<falx::device_state>& state = detail::internals::state(each);
    if (std::ranges::find(result, state) != result.end())
      throw exception(errc::invalid, "queue: '" + state->description().name +
                                         "' is in the list of devices twice; name every device once");
    // GPUs first: memory that is allocated by queue reaches most devices if one of them has it.
    const auto first_other =
        std::ranges::find_if(result, [](const auto& known) { return !known->description().is_gpu; });
    result.insert(state->description().is_gpu ? first_other : result.end(), state);
  }
  if (result.empty())
    throw exception(errc::invalid, "queue: the list of devices is empty; pass the devices that the queue "
                                   "may use");
  return result;
}

falx::handle<falx::queue_state> make_queue_state(falx::handle<falx::context_state> of,
                                                 std::vector<falx::handle<falx::device_state>> devices,
                                                 const async_handler& handler,
                                                 const property_list& properties) {
  return falx::handle<falx::queue_state>::adopt(
      new falx::queue_state(std::move(of), std::move(devices), handler, properties));
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

queue::queue(const std::vector<device>& devices, const property_list& propList)
    : queue(devices, async_handler(), propList) {}

queue::queue(const std::vector<device>& devices, const async_handler& handler,
             const property_list& propList) {
  std::vector<falx::handle<falx::device_state>> all = members(devices);
  falx::handle<falx::context_state> of = falx::context_state::default_for(*all.front());
  state_ = make_queue_state(std::move(of), std::move(all), handler, propList);
}

queue::queue(const context& syclContext, const std::vector<device>& devices, const property_list& propList)
    : queue(syclContext, devices, async_handler(), propList) {}

queue::queue(const context& syclContext, const std::vector<device>& devices,
             const async_handler& asyncHandler, const property_list& propList) {
  std::vector<falx::handle<falx::device_state>> all = members(devices);
  const falx::handle<falx::context_state>& of = detail::internals::state(syclContext);
  for (const falx::handle<falx::device_state>& each : all)
    if (!of->contains(*each))
      throw exception(errc::invalid, "queue: '" + each->description().name +
                                         "' is not in the context; leave the context away if the devices "
                                         "are of several platforms");
  state_ = make_queue_state(of, std::move(all), asyncHandler, propList);
}

std::vector<device> queue::get_devices() const {
  std::vector<device> result;
  if (const falx::multi_device_queue* const family = state_->family();
      family != nullptr && family->has_choice())
    for (const falx::handle<falx::device_state>& each : family->devices())
      result.push_back(detail::internals::make<device>(each));
  else
    result.push_back(get_device());
  return result;
}

device queue::select_among(const context& devices, detail::selector_reference selector) {
  falx::handle<falx::device_state> selected = detail::select_device(selector);
  if (!detail::internals::state(devices)->contains(*selected))
    throw exception(errc::invalid, "queue: the device selector selects '" + selected->description().name +
                                       "', which is not in the context; construct the context from a device "
                                       "that it selects");
  return detail::internals::make<device>(std::move(selected));
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

event queue::submit_function(detail::command_group_function function, const property_list& properties) {
  falx::command_group group(*state_);
  group.set_properties(properties);
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

std::vector<event> queue::get_wait_list() const {
  std::vector<event> events;
  for (falx::handle<falx::command>& some : state_->wait_list())
    events.push_back(detail::internals::make<event>(std::move(some)));
  return events;
}

void queue::wait() {
  state_->wait();
  falx::wait_for_foreign_work(*state_);
  if (falx::multi_device_queue* const family = state_->family())
    for (falx::queue_state* const branch : family->branches())
      falx::wait_for_foreign_work(*branch);
}

void queue::wait_and_throw() {
  wait();
  state_->throw_asynchronous();
}

void queue::throw_asynchronous() {
  state_->poll();
  state_->throw_asynchronous();
}

static void check_has_order(const queue& q, const char* function) {
  if (!q.is_in_order())
    throw exception(errc::invalid, std::string("queue::") + function +
                                       " is for queues that are in order; construct the queue with "
                                       "property::queue::in_order");
  if (q.has_property<ext::oneapi::property::queue::discard_events>())
    throw exception(errc::invalid, std::string("queue::") + function +
                                       " needs events; construct the queue without "
                                       "ext::oneapi::property::queue::discard_events");
}

std::optional<event> queue::ext_oneapi_get_last_event() const {
  check_has_order(*this, "ext_oneapi_get_last_event");
  if (falx::handle<falx::command> last = state_->last())
    return detail::internals::make<event>(std::move(last));
  return std::nullopt;
}

void queue::ext_oneapi_set_external_event(const event& externalEvent) {
  check_has_order(*this, "ext_oneapi_set_external_event");
  state_->set_external_dependency(falx::command::meant(detail::internals::state(externalEvent)));
}

event ext::oneapi::experimental::submit_profiling_tag(const queue& q) {
  return queue(q).submit([](handler& group) { sycl::detail::command_group_of(group).set_profiling_tag(); });
}

bool queue::khr_empty() const {
  return state_->is_empty();
}

bool queue::ext_oneapi_empty() const {
  return khr_empty();
}

void queue::khr_flush() const {
  state_->flush();
}

} // namespace sycl
