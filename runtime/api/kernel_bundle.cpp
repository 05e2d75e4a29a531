// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/kernel_bundle.hpp"

#include "devices/backend_names.hpp"
#include "devices/platform_state.hpp"
#include "kernels/image_registry.hpp"
#include "kernels/kernel_bundle_state.hpp"
#include "kernels/kernel_state.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace sycl::detail {

using falx::device_image_state;
using falx::device_state;
using falx::handle;
using falx::kernel_bundle_state;

bool device_image_base::has_kernel(const kernel_id& kernelId) const noexcept {
  return state_->kernel() == internals::state(kernelId);
}
bool device_image_base::has_kernel(const kernel_id& kernelId, const device& dev) const noexcept {
  return has_kernel(kernelId) && falx::is_compatible(state_->kernel(), *internals::state(dev));
}
bool device_image_base::equals(const device_image_base& other) const noexcept {
  return *state_ == *other.state_;
}
std::size_t device_image_base::hash() const noexcept {
  return std::hash<const void*>()(state_->kernel());
}

bool kernel_bundle_base::empty() const noexcept {
  return state_->images().empty();
}
backend kernel_bundle_base::get_backend() const noexcept {
  return falx::backend_of(state_->context()->platform().backend());
}
context kernel_bundle_base::get_context() const noexcept {
  return internals::make<context>(state_->context());
}
std::vector<device> kernel_bundle_base::get_devices() const noexcept {
  std::vector<device> devices;
  for (const handle<device_state>& each : state_->devices())
    devices.push_back(internals::make<device>(each));
  return devices;
}

bool kernel_bundle_base::has_kernel(const kernel_id& kernelId) const noexcept {
  return state_->find(internals::state(kernelId)) != nullptr;
}
bool kernel_bundle_base::has_kernel(const kernel_id& kernelId, const device& dev) const noexcept {
  return has_kernel(kernelId) && falx::is_compatible(internals::state(kernelId), *internals::state(dev));
}
std::vector<kernel_id> kernel_bundle_base::get_kernel_ids() const {
  std::vector<kernel_id> ids;
  for (const handle<device_image_state>& image : state_->images())
    if (const auto id = internals::make<kernel_id>(image->kernel());
        std::find(ids.begin(), ids.end(), id) == ids.end())
      ids.push_back(id);
  return ids;
}
kernel kernel_bundle_base::kernel_of(const kernel_id& kernelId) const {
  if (!has_kernel(kernelId))
    throw exception(errc::invalid,
                    fmt::format("kernel_bundle::get_kernel: the bundle does not contain kernel '{}'",
                                kernelId.get_name()));
  return kernel(state_, kernelId);
}

namespace {

/// Calls \p visit for the specialization_id objects that the kernels of the bundle may read, until it says
/// true.
template <class Visitor>
bool any_constant(const kernel_bundle_state& bundle, const Visitor& visit) {
  for (const handle<device_image_state>& image : bundle.images())
    for (const falx::kernel_descriptor* entry : falx::kernels_named(image->kernel()))
      for (const void* id : falx::state_of(*entry).constants_read())
        if (visit(id))
          return true;
  return false;
}

} // namespace

bool kernel_bundle_base::contains_specialization_constants() const noexcept {
  return any_constant(*state_, [](const void*) { return true; });
}
bool kernel_bundle_base::native_specialization_constant() const noexcept {
  // The JIT compiles the values into the code.
  return contains_specialization_constants();
}
bool kernel_bundle_base::has_constant(const void* id) const noexcept {
  return any_constant(*state_, [id](const void* read) { return read == id; });
}
const void* kernel_bundle_base::constant(const void* id) const noexcept {
  return state_->constants().find(id);
}
void kernel_bundle_base::set_constant(const void* id, const void* value, std::size_t bytes) {
  state_->set_constant(id, value, bytes);
}
bool kernel_bundle_base::equals(const kernel_bundle_base& other) const noexcept {
  return *state_ == *other.state_;
}
std::size_t kernel_bundle_base::hash() const noexcept {
  return state_->hash();
}

template <>
const std::vector<device_image<bundle_state::input>>&
images_of<bundle_state::input>(const kernel_bundle_state& bundle) noexcept {
  return bundle.user_images<bundle_state::input>();
}
template <>
const std::vector<device_image<bundle_state::object>>&
images_of<bundle_state::object>(const kernel_bundle_state& bundle) noexcept {
  return bundle.user_images<bundle_state::object>();
}
template <>
const std::vector<device_image<bundle_state::executable>>&
images_of<bundle_state::executable>(const kernel_bundle_state& bundle) noexcept {
  return bundle.user_images<bundle_state::executable>();
}

} // namespace sycl::detail
