// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/device.hpp"

#include "devices/backend_names.hpp"
#include "devices/context_state.hpp"
#include "devices/device_state.hpp"
#include "devices/platform_state.hpp"
#include "devices/sub_devices.hpp"
#include "sycl/context.hpp"
#include "sycl/exception.hpp"
#include "sycl/platform.hpp"

#include <algorithm>

namespace sycl {

using falx::device_state;
using falx::handle;

device::device() : device(handle<device_state>::share(&falx::default_device())) {}

backend device::get_backend() const noexcept {
  return falx::backend_of(state_->platform().backend());
}

bool device::is_cpu() const {
  return has(aspect::cpu);
}
bool device::is_gpu() const {
  return has(aspect::gpu);
}
bool device::is_accelerator() const {
  return has(aspect::accelerator);
}

platform device::get_platform() const {
  return detail::internals::make<platform>(handle<falx::platform_state>::share(&state_->platform()));
}

context device::ext_oneapi_get_default_context() const {
  return detail::internals::make<context>(falx::context_state::default_for(*state_));
}

std::size_t device::ext_oneapi_index_within_platform() const {
  const auto devices = state_->platform().devices();
  const auto found = std::ranges::find(devices, state_);
  if (found == devices.end())
    throw exception(errc::invalid, "device::ext_oneapi_index_within_platform: '" +
                                       state_->description().name +
                                       "' is a sub-device, and only root devices have an index; ask "
                                       "info::device::parent_device for the device that it is a part of");
  return static_cast<std::size_t>(found - devices.begin());
}

bool device::has(aspect asp) const {
  return state_->has(asp);
}

bool device::has_extension(const std::string& extension) const {
  const auto names = get_info<info::device::extensions>();
  return std::find(names.begin(), names.end(), extension) != names.end();
}

std::vector<device> device::get_devices(info::device_type type) {
  std::vector<device> result;
  for (const handle<device_state>& candidate : falx::all_devices())
    if (candidate->is_of_type(type))
      result.push_back(device(candidate));
  return result;
}

namespace {

std::vector<device> devices_of(const std::vector<handle<device_state>>& states) {
  std::vector<device> result;
  result.reserve(states.size());
  for (const handle<device_state>& state : states)
    result.push_back(detail::internals::make<device>(state));
  return result;
}

} // namespace

std::vector<device> device::partition_equally(std::size_t count) const {
  return devices_of(falx::partition_equally(*state_, count));
}
std::vector<device> device::partition_by_counts(const std::vector<std::size_t>& counts) const {
  return devices_of(falx::partition_by_counts(*state_, counts));
}
std::vector<device> device::partition_by_affinity_domain(info::partition_affinity_domain domain) const {
  return devices_of(falx::partition_by_affinity_domain(*state_, domain));
}

} // namespace sycl
