// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_state.hpp"

#include "diagnostics/environment.hpp"
#include "kernels/image_registry.hpp"
#include "kernels/preloaded_kernels.hpp"
#include "platform_state.hpp"
#include "sycl/exception.hpp"

#include <fmt/format.h>
#include <memory>
#include <vector>

namespace falx {

void retain(device_state* device) noexcept {
  device->retain_reference();
}
void release(device_state* device) noexcept {
  device->release_reference();
}

/// The platforms and devices of this process, fixed at first use. Never destroyed, as backends are not.
class visible_devices {
public:
  static const visible_devices& instance() {
    static const visible_devices& all = *std::make_unique<visible_devices>().release();
    return all;
  }

  visible_devices() : filter_(the_environment().devices) {
    require_same_interface();
    for (backend* native : backends()) {
      auto platform = handle<platform_state>::adopt(std::make_unique<platform_state>(*native).release());
      std::size_t index = 0;
      for (backend_device* device : native->devices())
        if (filter_.admits(native->name(), device->description(), index++)) {
          preload_kernels_of(*device);
          platform->devices_.push_back(
              handle<device_state>::adopt(std::make_unique<device_state>(*platform, *device).release()));
        }
      if (platform->devices_.empty())
        continue;
      devices_.insert(devices_.end(), platform->devices_.begin(), platform->devices_.end());
      platforms_.push_back(std::move(platform));
    }
  }

  std::span<const handle<platform_state>> platforms() const noexcept { return platforms_; }
  std::span<const handle<device_state>> devices() const noexcept { return devices_; }
  const device_filter& filter() const noexcept { return filter_; }

private:
  const device_filter& filter_;
  std::vector<handle<platform_state>> platforms_;
  std::vector<handle<device_state>> devices_;
};

std::span<const handle<platform_state>> all_platforms() {
  return visible_devices::instance().platforms();
}
std::span<const handle<device_state>> all_devices() {
  return visible_devices::instance().devices();
}

device_state& default_device() {
  const auto devices = all_devices();
  for (const handle<device_state>& device : devices)
    if (device->description().is_gpu)
      return *device;
  if (devices.empty())
    throw sycl::exception(sycl::make_error_code(sycl::errc::runtime),
                          "no device to run on: " + visible_devices_in_words());
  return *devices.front();
}

device_state* host_memory_user() {
  for (const handle<device_state>& device : all_devices())
    if (device->description().unified_memory)
      return device.get();
  return nullptr;
}

std::string visible_devices_in_words() {
  const visible_devices& visible = visible_devices::instance();
  std::string words;
  for (const handle<device_state>& device : visible.devices())
    words += fmt::format("{}'{}' ({})", words.empty() ? "visible devices are " : ", ",
                         device->description().name, device->platform().backend().name());
  if (words.empty())
    words = "no device is visible";
  if (!visible.filter().origin().empty())
    words += fmt::format("; the environment has {}, unset it to see all devices", visible.filter().origin());
  return words;
}

bool device_state::is_of_type(sycl::info::device_type type) const noexcept {
  switch (type) {
  case sycl::info::device_type::all:
    return true;
  case sycl::info::device_type::automatic:
    return platform_.devices().front().get() == this;
  case sycl::info::device_type::cpu:
    return has(sycl::aspect::cpu);
  case sycl::info::device_type::gpu:
    return has(sycl::aspect::gpu);
  case sycl::info::device_type::accelerator:
    return has(sycl::aspect::accelerator);
  case sycl::info::device_type::custom:
  case sycl::info::device_type::host:
    return false;
  }
  return false;
}

} // namespace falx
