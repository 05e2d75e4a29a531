// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interop_scope.hpp"

#include "backends/native_objects.hpp"
#include "devices/native_lookup.hpp"
#include "diagnostics/race_detection.hpp"
#include "scheduler/command_group.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/exception.hpp"
#include "sycl/interop_handle.hpp"

#include <algorithm>

namespace falx {

native_handle interop_scope::native_queue() const {
  if (given_ != 0)
    return given_;
  native_objects& native = native_objects_of(queue_.device());
  has_taken_queue_ = true;
  return native.queue(queue_);
}

void* interop_scope::memory_of(std::uint64_t requirement) const {
  const auto found = std::ranges::find(memory_, requirement, &interop_memory::requirement);
  if (found == memory_.end())
    throw sycl::exception(
        sycl::errc::invalid,
        "interop_handle::get_native_mem: the accessor belongs to another command group; construct it with "
        "this command group's handler, or call handler::require if it is a placeholder");
  return found->data;
}

void interop_scope::wait_for_native_work() const {
  if (has_taken_queue_)
    native_objects_of(queue_.device()).wait_for_foreign_work(queue_);
}

interop_callable::interop_callable(const host_task_callable& callable) noexcept
    : object_(callable.object), invoke_(callable.invoke), destroy_(callable.destroy) {}

interop_callable::~interop_callable() {
  observe(this); // the call, whose thread may have dropped its reference before
  destroy_(object_);
}

void interop_callable::call(const interop_scope& scope) const {
  auto interop = sycl::detail::internals::make<sycl::interop_handle>(&scope);
  invoke_(object_, &interop);
  publish(this);
}

void interop_callable::run_host_task() const {
  const interop_scope scope(*queue_, memory_, 0);
  call(scope);
  scope.wait_for_native_work();
}

void interop_callable::run_native_command(native_handle native_queue) const {
  call(interop_scope(*queue_, memory_, native_queue));
}

queue_state& queue_of(const interop_scope& scope) noexcept {
  return scope.queue();
}
native_handle native_queue(const interop_scope& scope) {
  return scope.native_queue();
}
void* native_memory(const interop_scope& scope, const accessor_core& accessor) {
  return scope.memory_of(accessor.requirement);
}

} // namespace falx
