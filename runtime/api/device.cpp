// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/device.hpp"

#include "devices/backend_names.hpp"
#include "devices/device_state.hpp"
#include "devices/platform_state.hpp"
#include "sycl/exception.hpp"
#include "sycl/platform.hpp"

#include <algorithm>
#include <fmt/format.h>

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

void device::throw_no_partition(info::partition_property property) const {
  const char* name = "partition_equally";
  if (property == info::partition_property::partition_by_counts)
    name = "partition_by_counts";
  else if (property == info::partition_property::partition_by_affinity_domain)
    name = "partition_by_affinity_domain";
  throw exception(
      make_error_code(errc::feature_not_supported),
      fmt::format("device '{}' does not support {}; info::device::partition_properties lists what a "
                  "device supports",
                  state_->description().name, name));
}

} // namespace sycl
