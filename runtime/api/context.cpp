// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/context.hpp"

#include "devices/backend_names.hpp"
#include "devices/context_state.hpp"
#include "devices/device_capabilities.hpp"
#include "devices/platform_state.hpp"
#include "sycl/device.hpp"
#include "sycl/platform.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace falx {

void retain(context_state* context) noexcept {
  context->retain_reference();
}
void release(context_state* context) noexcept {
  context->release_reference();
}

context_state::context_state(std::vector<handle<device_state>> devices, sycl::async_handler handler,
                             sycl::property_list properties)
    : devices_(std::move(devices)), handler_(std::move(handler)), properties_(std::move(properties)) {}

handle<context_state> context_state::default_for(device_state& device) {
  return device.platform().default_context();
}

bool context_state::contains(const device_state& device) const noexcept {
  return std::any_of(devices_.begin(), devices_.end(),
                     [&](const handle<device_state>& each) { return device.is_within(*each); });
}

} // namespace falx

namespace sycl {

using falx::context_state;
using falx::device_state;
using falx::handle;

namespace {

using device_handles = std::vector<handle<device_state>>;

handle<context_state> make_state(device_handles devices, async_handler handler,
                                 const property_list& properties) {
  return handle<context_state>::adopt(new context_state(std::move(devices), std::move(handler), properties));
}

device_handles devices_of(const falx::platform_state& platform) {
  return {platform.devices().begin(), platform.devices().end()};
}

/// Throws unless the devices can share a context.
device_handles devices_of(const std::vector<device>& list) {
  if (list.empty())
    throw exception(make_error_code(errc::invalid),
                    "a context was constructed from an empty list of devices; give it at least one");
  device_handles result;
  for (const device& each : list) {
    if (each.get_platform() != list.front().get_platform())
      throw exception(
          make_error_code(errc::invalid),
          fmt::format("a context was constructed from devices '{}' and '{}', which are of different "
                      "platforms; make one context per platform",
                      list.front().get_info<info::device::name>(), each.get_info<info::device::name>()));
    result.push_back(detail::internals::state(each));
  }
  return result;
}

} // namespace

context::context(const property_list& propList) : context(async_handler(), propList) {}
context::context(async_handler asyncHandler, const property_list& propList)
    : state_(make_state(devices_of(falx::default_device().platform()), std::move(asyncHandler), propList)) {}

context::context(const device& dev, const property_list& propList)
    : context(dev, async_handler(), propList) {}
context::context(const device& dev, async_handler asyncHandler, const property_list& propList)
    : state_(make_state({detail::internals::state(dev)}, std::move(asyncHandler), propList)) {}

context::context(const platform& plt, const property_list& propList)
    : context(plt, async_handler(), propList) {}
context::context(const platform& plt, async_handler asyncHandler, const property_list& propList)
    : state_(make_state(devices_of(*detail::internals::state(plt)), std::move(asyncHandler), propList)) {}

context::context(const std::vector<device>& deviceList, const property_list& propList)
    : context(deviceList, async_handler(), propList) {}
context::context(const std::vector<device>& deviceList, async_handler asyncHandler,
                 const property_list& propList)
    : state_(make_state(devices_of(deviceList), std::move(asyncHandler), propList)) {}

const property_list& context::properties() const noexcept {
  return state_->properties();
}

backend context::get_backend() const noexcept {
  return falx::backend_of(state_->platform().backend());
}

platform context::get_platform() const {
  return detail::internals::make<platform>(handle<falx::platform_state>::share(&state_->platform()));
}

std::vector<device> context::get_devices() const {
  std::vector<device> result;
  for (const handle<device_state>& each : state_->devices())
    result.push_back(detail::internals::make<device>(each));
  return result;
}

template <>
platform context::get_info<info::context::platform>() const {
  return get_platform();
}
template <>
std::vector<device> context::get_info<info::context::devices>() const {
  return get_devices();
}
// All devices of Falx have the same capabilities.
template <>
std::vector<memory_order> context::get_info<info::context::atomic_memory_order_capabilities>() const {
  return falx::atomic_memory_orders();
}
template <>
std::vector<memory_order> context::get_info<info::context::atomic_fence_order_capabilities>() const {
  return falx::atomic_memory_orders();
}
template <>
std::vector<memory_scope> context::get_info<info::context::atomic_memory_scope_capabilities>() const {
  return falx::atomic_memory_scopes();
}
template <>
std::vector<memory_scope> context::get_info<info::context::atomic_fence_scope_capabilities>() const {
  return falx::fence_scopes();
}

} // namespace sycl
