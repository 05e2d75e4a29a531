// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/native_error.hpp"
#include "backends/native_objects.hpp"
#include "devices/backend_names.hpp"
#include "devices/context_state.hpp"
#include "devices/device_state.hpp"
#include "devices/native_lookup.hpp"
#include "devices/platform_state.hpp"
#include "scheduler/command_work.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/context.hpp"
#include "sycl/detail/native_objects.hpp"
#include "sycl/device.hpp"
#include "sycl/event.hpp"
#include "sycl/platform.hpp"
#include "sycl/queue.hpp"

#include <exception>
#include <fmt/format.h>
#include <utility>

namespace falx {

native_objects& native_objects_of(const device_state& device) {
  if (native_objects* const native = device.backend().native())
    return *native;
  sycl::detail::throw_no_native_object(backend_of(device.platform().backend()));
}

void wait_for_foreign_work(queue_state& queue) {
  native_objects* const native = queue.device().backend().native();
  if (native == nullptr)
    return;
  try {
    native->wait_for_foreign_work(queue);
  } catch (...) {
    queue.report(std::current_exception());
  }
}

namespace {

/// The platform of a backend, or null if none is visible.
const platform_state* platform_of(sycl::backend wanted) {
  for (const handle<platform_state>& platform : all_platforms())
    if (backend_of(platform->backend()) == wanted)
      return platform.get();
  return nullptr;
}

[[noreturn]] void throw_not_visible(const char* function, sycl::backend backend, const std::string& what) {
  throw sycl::exception(sycl::errc::invalid,
                        fmt::format("{}: {} of backend '{}' is not visible; {}", function, what,
                                    name_of(backend), visible_devices_in_words()));
}

handle<device_state> device_behind(sycl::backend backend, native_handle native, const char* function) {
  if (const platform_state* const platform = platform_of(backend))
    for (const handle<device_state>& device : platform->devices())
      if (native_objects_of(*device).device() == native)
        return device;
  throw_not_visible(function, backend, fmt::format("device {}", native));
}

/// Whether events can stand for the command: the backend has it, or it is complete.
bool is_native(command& self) noexcept {
  return self.native() != nullptr || (self.is_handed_over() && !self.runs_on_host());
}

} // namespace

} // namespace falx

namespace sycl::detail {

using falx::command;
using falx::device_state;
using falx::handle;
using falx::native_handle;
using falx::native_objects;
using falx::native_objects_of;
using falx::queue_state;

native_handle native_of(const device& object) {
  return native_objects_of(*internals::state(object)).device();
}

std::vector<native_handle> natives_of(const context& object) {
  std::vector<native_handle> natives;
  for (const handle<device_state>& device : internals::state(object)->devices())
    natives.push_back(native_objects_of(*device).context());
  return natives;
}

native_handle native_of(const queue& object) {
  queue_state& state = *internals::state(object);
  return native_objects_of(state.device()).queue(state);
}

native_handle native_of(const event& object) {
  // An event that is used again keeps the command that it means.
  command& self = *command::meant(internals::state(object));
  if (const falx::native_event* const known = self.native())
    return known->handle();
  device_state& device = self.queue() != nullptr ? self.queue()->device() : falx::default_device();
  native_objects& native = native_objects_of(device);
  if (!falx::is_native(self))
    self.wait();
  return self.set_native(native.event_of(self)).handle();
}

bool has_native(const event& object, backend wanted) noexcept {
  return object.get_backend() == wanted && falx::is_native(*command::meant(internals::state(object)));
}

device device_from(backend of, native_handle native) {
  return internals::make<device>(falx::device_behind(of, native, "make_device"));
}

platform platform_from(backend of, const std::vector<native_handle>& devices) {
  const falx::platform_state* const found = falx::platform_of(of);
  if (found == nullptr)
    falx::throw_not_visible("make_platform", of, "a device");
  for (const native_handle each : devices)
    static_cast<void>(falx::device_behind(of, each, "make_platform"));
  return internals::make<device>(found->devices().front()).get_platform();
}

context context_from(backend of, native_handle native, const async_handler& handler) {
  if (const falx::platform_state* const found = falx::platform_of(of))
    for (const handle<device_state>& each : found->devices())
      if (native_objects_of(*each).is_context(native))
        return context(internals::make<device>(each), handler);
  throw_not_interoperable("make_context", "contexts other than the primary ones of visible devices",
                          "retain the device's primary context (cuDevicePrimaryCtxRetain, or any call of the "
                          "CUDA runtime), as memory and modules of one context are of no use in another");
}

queue queue_from(native_handle native, const context& target, const async_handler& handler) {
  for (const handle<device_state>& each : internals::state(target)->devices()) {
    native_objects& objects = native_objects_of(*each);
    if (!objects.is_queue_of_device(native))
      continue;
    queue made(target, internals::make<device>(each), handler, {property::queue::in_order()});
    internals::state(made)->set_native(objects.adopt_queue(native));
    return made;
  }
  throw exception(errc::invalid, "make_queue: the native queue belongs to no device of the context; pass a "
                                 "context that contains its device, such as one of make_context");
}

event event_from(native_handle native, const context& target) {
  const handle<device_state>& device = internals::state(target)->devices().front();
  native_objects& objects = native_objects_of(*device);
  // A queue of its own, so that nothing else waits for the event.
  const auto waiting = handle<queue_state>::adopt(new queue_state(
      internals::state(target), device, async_handler(), property_list{property::queue::in_order()}));
  handle<command> self = command::make_for(*waiting);
  self->make_internal(nullptr);
  self->set_native(objects.adopt_event(native));
  self->work()->what =
      falx::native_operation{[&objects, native](native_handle on) { objects.wait_on_queue(on, native); }};
  waiting->submit(self, {});
  return internals::make<event>(std::move(self));
}

int native_error_of(const exception& thrown, backend of) noexcept {
  const auto* const native = dynamic_cast<const falx::native_error*>(&thrown);
  return native != nullptr && native->backend == of ? native->error : 0;
}

void throw_not_interoperable(const char* function, const char* what, const char* remedy) {
  throw exception(errc::feature_not_supported,
                  fmt::format("{}: Falx does not hand out or take in {}; {}", function, what, remedy));
}

} // namespace sycl::detail
