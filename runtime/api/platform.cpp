// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/platform.hpp"

#include "devices/backend_names.hpp"
#include "devices/context_state.hpp"
#include "devices/platform_state.hpp"
#include "sycl/context.hpp"
#include "sycl/device.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace falx {

void retain(platform_state* platform) noexcept {
  platform->retain_reference();
}
void release(platform_state* platform) noexcept {
  platform->release_reference();
}

handle<context_state> platform_state::default_context() {
  std::call_once(default_context_made_, [this] {
    default_context_ = handle<context_state>::adopt(
        new context_state({devices_.begin(), devices_.end()}, nullptr, sycl::property_list{}));
  });
  return default_context_;
}

} // namespace falx

namespace sycl {

using falx::device_state;
using falx::handle;
using falx::platform_state;

platform::platform() : platform(handle<platform_state>::share(&falx::default_device().platform())) {}

handle<platform_state> platform::of(const handle<device_state>& device) {
  return handle<platform_state>::share(&device->platform());
}

backend platform::get_backend() const noexcept {
  return falx::backend_of(state_->backend());
}

std::vector<device> platform::get_devices(info::device_type type) const {
  std::vector<device> result;
  for (const handle<device_state>& candidate : state_->devices())
    if (candidate->is_of_type(type))
      result.push_back(detail::internals::make<device>(candidate));
  return result;
}

context platform::khr_get_default_context() const {
  return detail::internals::make<context>(state_->default_context());
}

context platform::ext_oneapi_get_default_context() const {
  return khr_get_default_context();
}

device platform::ext_oneapi_device_at_index(std::size_t index) const {
  const auto devices = state_->devices();
  if (index >= devices.size())
    throw exception(
        errc::invalid,
        fmt::format("platform::ext_oneapi_device_at_index: there is no device {}, as platform '{}' has "
                    "{} (platform::get_devices)",
                    index, state_->backend().platform_name(), devices.size()));
  return detail::internals::make<device>(devices[index]);
}

bool platform::has(aspect asp) const {
  const auto devices = state_->devices();
  return !devices.empty() && std::all_of(devices.begin(), devices.end(),
                                         [&](const handle<device_state>& each) { return each->has(asp); });
}

bool platform::has_extension(const std::string& extension) const {
  const auto names = get_info<info::platform::extensions>();
  return std::find(names.begin(), names.end(), extension) != names.end();
}

std::vector<platform> platform::get_platforms() {
  std::vector<platform> result;
  for (const handle<platform_state>& each : falx::all_platforms())
    result.push_back(detail::internals::make<platform>(each));
  return result;
}

namespace {

/// For the CPU, the version of Falx; for others, of the native API's driver.
std::string query(info::platform::version, const platform_state& state) {
  return state.devices().front()->description().driver_version;
}
std::string query(info::platform::name, const platform_state& state) {
  return std::string(state.backend().platform_name());
}
std::string query(info::platform::vendor, const platform_state& state) {
  const auto& first = state.devices().front()->description();
  return first.is_cpu ? "Falx" : first.vendor;
}

std::string query(info::platform::profile, const platform_state&) {
  return "FULL_PROFILE";
}

/// The extensions that all devices have.
std::vector<std::string> query(info::platform::extensions, const platform_state& state) {
  std::vector<std::string> common;
  bool first = true;
  for (const handle<device_state>& each : state.devices()) {
    auto names = detail::internals::make<device>(each).get_info<info::device::extensions>();
    std::sort(names.begin(), names.end());
    if (!std::exchange(first, false)) {
      std::vector<std::string> both;
      std::set_intersection(common.begin(), common.end(), names.begin(), names.end(),
                            std::back_inserter(both));
      names = std::move(both);
    }
    common = std::move(names);
  }
  return common;
}

} // namespace

template <typename Param>
typename Param::return_type platform::get_info() const {
  return query(Param(), *state_);
}

template std::string platform::get_info<info::platform::version>() const;
template std::string platform::get_info<info::platform::name>() const;
template std::string platform::get_info<info::platform::vendor>() const;
template std::string platform::get_info<info::platform::profile>() const;
template std::vector<std::string> platform::get_info<info::platform::extensions>() const;

} // namespace sycl
