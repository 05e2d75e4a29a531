// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/handler.hpp"

#include "scheduler/command.hpp"
#include "scheduler/command_group.hpp"
#include "sycl/kernel_bundle.hpp"

#include <string>

namespace sycl {

namespace detail {

falx::command_group& command_group_of(handler& group) noexcept {
  return group.group_;
}

void properties_of_kernels::throw_larger_group(const char* property) {
  throw exception(errc::nd_range,
                  std::string("the launch's work-groups are larger than its kernel's property ") + property +
                      " promises; launch smaller groups or raise the limit");
}

} // namespace detail

void handler::use_kernel_bundle(const kernel_bundle<bundle_state::executable>& execBundle) {
  falx::use_kernel_bundle(group_, *detail::internals::state(execBundle));
}

void handler::launch_object(const kernel& object, const falx::launch_geometry& geometry,
                            const char* function) {
  falx::set_function_kernel(group_, *detail::internals::state(object),
                            detail::internals::state(detail::internals::id(object)), geometry, function);
}

void handler::depends_on(event depEvent) {
  group_.add_dependency(std::move(detail::internals::state(depEvent)));
}

void handler::depends_on(const std::vector<event>& depEvents) {
  for (const event& some : depEvents)
    group_.add_dependency(detail::internals::state(some));
}

void handler::ext_oneapi_barrier(const std::vector<event>& waitList) {
  depends_on(waitList);
  group_.set_barrier(falx::barrier::behind_dependencies);
}

} // namespace sycl
