// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/kernel_bundle_state.hpp"

#include "kernels/image_registry.hpp"
#include "kernels/kernel_state.hpp"
#include "sycl/exception.hpp"
#include "sycl/kernel_bundle.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

/// \file
/// How kernel bundles come to be: from the kernels of the program, and from each other.

namespace sycl {

using detail::bundle_handle;
using detail::internals;
using falx::context_state;
using falx::device_image_state;
using falx::device_state;
using falx::handle;
using falx::kernel_bundle_state;
using device_list = std::vector<handle<device_state>>;
using image_list = kernel_bundle_state::image_list;

namespace {

/// Without duplicates. Throws errc::invalid if there is none, or \p is_known says false for one.
template <class Test>
device_list distinct(const std::vector<device>& devs, const char* function, const char* owner,
                     const Test& is_known) {
  if (devs.empty())
    throw exception(errc::invalid, fmt::format("{}: the list of devices is empty", function));
  device_list devices;
  for (const device& each : devs) {
    const handle<device_state>& state = internals::state(each);
    if (!is_known(*state))
      throw exception(errc::invalid, fmt::format("{}: device '{}' is not one of the {}'s", function,
                                                 state->description().name, owner));
    if (std::find(devices.begin(), devices.end(), state) == devices.end())
      devices.push_back(state);
  }
  return devices;
}

device_list devices_of(const context_state& ctxt, const std::vector<device>& devs, const char* function) {
  return distinct(devs, function, "context", [&](const device_state& each) { return ctxt.contains(each); });
}

/// What a device needs so that bundles in the state can be had for it.
bool has_compiler_for(bundle_state state, const device_state& device) {
  return state == bundle_state::executable ||
         device.has(state == bundle_state::input ? aspect::online_compiler : aspect::online_linker);
}

void check_compilers(bundle_state state, const device_list& devices) {
  for (const handle<device_state>& each : devices)
    if (!has_compiler_for(state, *each))
      throw exception(errc::invalid, fmt::format("get_kernel_bundle: device '{}' has no {}; ask for "
                                                 "bundle_state::executable",
                                                 each->description().name,
                                                 state == bundle_state::input ? "aspect::online_compiler"
                                                                              : "aspect::online_linker"));
}

bool any_runs(const falx::kernel_name* kernel, const device_list& devices) {
  return std::any_of(devices.begin(), devices.end(),
                     [&](const handle<device_state>& each) { return falx::is_compatible(kernel, *each); });
}

/// Whether all launches of the kernel have the same work-groups, as far as the user knows.
bool has_one_configuration(const falx::image::kernel_metadata& kernel) {
  const auto kind = static_cast<falx::kernel_kind>(kernel.kind);
  return kind == falx::kernel_kind::single_task || kind == falx::kernel_kind::range ||
         kernel.reqd_work_group_size.size() == kernel.dimensions;
}

/// A launch such as most are, as some devices specialise on more than work-groups: a million work-items.
falx::launch_geometry typical_geometry(const falx::image::kernel_metadata& kernel) {
  constexpr falx::extent3 RANGES[] = {{1 << 20, 1, 1}, {1 << 10, 1 << 10, 1}, {1 << 7, 1 << 7, 1 << 6}};
  const auto kind = static_cast<falx::kernel_kind>(kernel.kind);
  const std::uint32_t dimensions = std::clamp<std::uint32_t>(kernel.dimensions, 1, 3);
  const falx::extent3 global =
      kind == falx::kernel_kind::single_task ? falx::extent3{1, 1, 1} : RANGES[dimensions - 1];
  return {kind, dimensions, global, {1, 1, 1}, {0, 0, 0}};
}

/// Makes the machine code of the image now, where it is known which will be needed.
void compile_now(const device_image_state& image, const device_list& devices) {
  for (const falx::kernel_descriptor* entry : falx::kernels_named(image.kernel())) {
    const falx::kernel_use use(*entry);
    const falx::image::kernel_metadata& kernel = falx::metadata_of(*entry);
    if (!has_one_configuration(kernel))
      continue;
    falx::launch_geometry geometry = typical_geometry(kernel);
    std::size_t* const extents[] = {&geometry.local_range.x, &geometry.local_range.y,
                                    &geometry.local_range.z};
    for (std::size_t axis = 0; axis < kernel.reqd_work_group_size.size() && axis < 3; ++axis)
      *extents[axis] = kernel.reqd_work_group_size[axis];
    for (const handle<device_state>& device : devices)
      if (falx::is_compatible(image.kernel(), *device))
        falx::kernel_for(*entry, *device, falx::configuration_of(kernel, geometry, device->backend()),
                         &image.constants());
  }
}

bundle_handle make(bundle_state state, handle<context_state> ctxt, device_list devices, image_list images,
                   falx::specialization_constants constants = {}) {
  return bundle_handle::adopt(std::make_unique<kernel_bundle_state>(state, std::move(ctxt),
                                                                    std::move(devices), std::move(images),
                                                                    std::move(constants))
                                  .release());
}

void append_new(image_list& images, const handle<device_image_state>& image) {
  if (std::none_of(images.begin(), images.end(), [&](const auto& each) { return *each == *image; }))
    images.push_back(image);
}

handle<device_image_state> make_image(const falx::kernel_name* kernel,
                                      falx::specialization_constants constants = {}) {
  return handle<device_image_state>::adopt(
      std::make_unique<device_image_state>(kernel, std::move(constants)).release());
}

/// Those of the values that the kernel may read.
falx::specialization_constants constants_of(const falx::kernel_name* kernel,
                                            const falx::specialization_constants& values) {
  falx::specialization_constants read;
  for (const falx::kernel_descriptor* entry : falx::kernels_named(kernel))
    read.merge(falx::constants_for(*entry, values));
  return read;
}

/// The images that some device runs, with the values of their constants fixed if they were not.
image_list translated(const kernel_bundle_state& bundle, const device_list& devices) {
  image_list images;
  for (const handle<device_image_state>& image : bundle.images()) {
    if (!any_runs(image->kernel(), devices))
      continue;
    falx::specialization_constants constants = image->constants();
    if (bundle.state() == bundle_state::input)
      constants = constants_of(image->kernel(), bundle.constants());
    append_new(images, make_image(image->kernel(), std::move(constants)));
  }
  return images;
}

bundle_handle translate(const kernel_bundle_state& bundle, const std::vector<device>& devs,
                        bundle_state state, const char* function) {
  device_list devices = distinct(devs, function, "kernel bundle",
                                 [&](const device_state& each) { return bundle.has_device(each); });
  image_list images = translated(bundle, devices);
  if (state == bundle_state::executable)
    for (const handle<device_image_state>& image : images)
      compile_now(*image, devices);
  return make(state, bundle.context(), std::move(devices), std::move(images), bundle.constants());
}

bool same_devices(const device_list& a, const device_list& b) {
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const handle<device_state>& each) {
           return std::find(b.begin(), b.end(), each) != b.end();
         });
}

/// All images and constants; the first one's context and devices. Of several images of a kernel the one with
/// the values that the bundle tells comes first: launches take it (§4.9.5.3).
bundle_handle united(const std::vector<const kernel_bundle_state*>& bundles, bundle_state state,
                     device_list devices) {
  image_list images;
  falx::specialization_constants constants;
  for (const kernel_bundle_state* bundle : bundles) {
    for (const handle<device_image_state>& image : bundle->images())
      append_new(images, image);
    constants.merge(bundle->constants());
  }
  image_list ordered, others;
  for (const handle<device_image_state>& image : images)
    (image->constants() == constants_of(image->kernel(), constants) ? ordered : others).push_back(image);
  ordered.insert(ordered.end(), others.begin(), others.end());
  return make(state, bundles.front()->context(), std::move(devices), std::move(ordered),
              std::move(constants));
}

void check_contexts(const std::vector<const kernel_bundle_state*>& bundles, const char* function) {
  if (bundles.empty())
    throw exception(errc::invalid, fmt::format("{}: there is no kernel bundle to work on", function));
  for (const kernel_bundle_state* bundle : bundles)
    if (bundle->context() != bundles.front()->context())
      throw exception(errc::invalid, fmt::format("{}: the kernel bundles have different contexts", function));
}

template <bundle_state State>
std::vector<const kernel_bundle_state*> states_of(const std::vector<kernel_bundle<State>>& bundles) {
  std::vector<const kernel_bundle_state*> states;
  states.reserve(bundles.size());
  for (const kernel_bundle<State>& bundle : bundles)
    states.push_back(internals::state(bundle).get());
  return states;
}

} // namespace

bundle_handle detail::make_bundle(bundle_state state, const context& ctxt, const std::vector<device>& devs) {
  const handle<context_state>& owner = internals::state(ctxt);
  device_list devices = devices_of(*owner, devs, "get_kernel_bundle");
  check_compilers(state, devices);
  image_list images;
  for (const falx::kernel_name* kernel : falx::all_kernel_names())
    if (any_runs(kernel, devices))
      images.push_back(make_image(kernel));
  return make(state, owner, std::move(devices), std::move(images));
}

bundle_handle detail::make_bundle(bundle_state state, const context& ctxt, const std::vector<device>& devs,
                                  const std::vector<kernel_id>& kernels) {
  const handle<context_state>& owner = internals::state(ctxt);
  device_list devices = devices_of(*owner, devs, "get_kernel_bundle");
  check_compilers(state, devices);
  image_list images;
  for (const kernel_id& id : kernels) {
    if (!any_runs(internals::state(id), devices))
      throw exception(errc::invalid,
                      fmt::format("get_kernel_bundle: kernel '{}' is compatible with none of the devices "
                                  "(sycl::is_compatible)",
                                  id.get_name()));
    append_new(images, make_image(internals::state(id)));
  }
  if (state == bundle_state::executable)
    for (const handle<device_image_state>& image : images)
      compile_now(*image, devices);
  return make(state, owner, std::move(devices), std::move(images));
}

bundle_handle detail::filter_bundle(const bundle_handle& bundle, const std::vector<char>& wanted) {
  image_list images;
  for (std::size_t i = 0; i < bundle->images().size(); ++i)
    if (wanted[i] != 0)
      images.push_back(bundle->images()[i]);
  return make(bundle->state(), bundle->context(), bundle->devices(), std::move(images));
}

bool detail::has_bundle(bundle_state state, const context& ctxt, const std::vector<device>& devs) {
  const device_list devices = devices_of(*internals::state(ctxt), devs, "has_kernel_bundle");
  const std::vector<const falx::kernel_name*> kernels = falx::all_kernel_names();
  return std::all_of(devices.begin(), devices.end(),
                     [&](const auto& each) { return has_compiler_for(state, *each); }) &&
         std::any_of(kernels.begin(), kernels.end(),
                     [&](const auto* each) { return any_runs(each, devices); });
}

bool detail::has_bundle(bundle_state state, const context& ctxt, const std::vector<device>& devs,
                        const std::vector<kernel_id>& kernels) {
  const device_list devices = devices_of(*internals::state(ctxt), devs, "has_kernel_bundle");
  return std::all_of(devices.begin(), devices.end(),
                     [&](const auto& each) { return has_compiler_for(state, *each); }) &&
         std::all_of(kernels.begin(), kernels.end(),
                     [&](const kernel_id& id) { return any_runs(internals::state(id), devices); });
}

bool is_compatible(const std::vector<kernel_id>& kernelIds, const device& dev) {
  return std::all_of(kernelIds.begin(), kernelIds.end(), [&](const kernel_id& id) {
    return falx::is_compatible(internals::state(id), *internals::state(dev));
  });
}

bundle_handle detail::join_bundles(const std::vector<const kernel_bundle_state*>& bundles,
                                   bundle_state state) {
  if (bundles.empty()) { // which SYCL does not forbid: a bundle without images or devices
    const context anywhere;
    return make(state, internals::state(anywhere), {}, {});
  }
  check_contexts(bundles, "join");
  for (const kernel_bundle_state* bundle : bundles)
    if (!same_devices(bundle->devices(), bundles.front()->devices()))
      throw exception(errc::invalid, "join: the kernel bundles have different devices");
  return united(bundles, state, bundles.front()->devices());
}

kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input>& inputBundle,
                                            const std::vector<device>& devs, const property_list&) {
  return internals::make<kernel_bundle<bundle_state::object>>(
      translate(*internals::state(inputBundle), devs, bundle_state::object, "compile"));
}
kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input>& inputBundle,
                                            const property_list& propList) {
  return compile(inputBundle, inputBundle.get_devices(), propList);
}

kernel_bundle<bundle_state::executable>
link(const std::vector<kernel_bundle<bundle_state::object>>& objectBundles, const std::vector<device>& devs,
     const property_list&) {
  const std::vector<const kernel_bundle_state*> bundles = states_of(objectBundles);
  check_contexts(bundles, "link");
  // A device must be one of every bundle's.
  for (const kernel_bundle_state* bundle : bundles)
    distinct(devs, "link", "kernel bundle",
             [&](const device_state& each) { return bundle->has_device(each); });
  const bundle_handle all = united(bundles, bundle_state::object, bundles.front()->devices());
  return internals::make<kernel_bundle<bundle_state::executable>>(
      translate(*all, devs, bundle_state::executable, "link"));
}
kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object>& objectBundle,
                                             const std::vector<device>& devs, const property_list& propList) {
  return link(std::vector{objectBundle}, devs, propList);
}
kernel_bundle<bundle_state::executable>
link(const std::vector<kernel_bundle<bundle_state::object>>& objectBundles, const property_list& propList) {
  std::vector<device> common;
  if (!objectBundles.empty())
    common = objectBundles.front().get_devices();
  std::erase_if(common, [&](const device& each) {
    return !std::all_of(objectBundles.begin(), objectBundles.end(), [&](const auto& bundle) {
      return internals::state(bundle)->has_device(*internals::state(each));
    });
  });
  return link(objectBundles, common, propList);
}
kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object>& objectBundle,
                                             const property_list& propList) {
  return link(std::vector{objectBundle}, objectBundle.get_devices(), propList);
}

kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input>& inputBundle,
                                              const std::vector<device>& devs, const property_list&) {
  return internals::make<kernel_bundle<bundle_state::executable>>(
      translate(*internals::state(inputBundle), devs, bundle_state::executable, "build"));
}
kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input>& inputBundle,
                                              const property_list& propList) {
  return build(inputBundle, inputBundle.get_devices(), propList);
}

} // namespace sycl
