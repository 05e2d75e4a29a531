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

void throw_needs_kernel_object(const char* function) {
  throw exception(errc::feature_not_supported,
                  std::string(function) +
                      " sets arguments of OpenCL kernel objects, which this device's backend "
                      "has none of; pass a function object and let it capture its arguments");
}

void throw_kernel_function(const kernel& object, const char* function) {
  throw exception(
      errc::invalid,
      std::string("handler::") + function +
          " with a sycl::kernel launches built-in kernels and those of backend interoperability, but "
          "this one (attributes '" +
          object.get_info<info::kernel::attributes>() +
          "') is a SYCL kernel function; pass the function object, and the kernel's bundle to "
          "handler::use_kernel_bundle");
}

} // namespace detail

void handler::use_kernel_bundle(const kernel_bundle<bundle_state::executable>& execBundle) {
  falx::use_kernel_bundle(group_, *detail::internals::state(execBundle));
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
