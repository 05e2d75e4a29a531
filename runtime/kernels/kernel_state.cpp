// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_state.hpp"

#include "adaptivity/adaptivity.hpp"
#include "checksum.hpp"
#include "devices/device_state.hpp"
#include "diagnostics/environment.hpp"
#include "function_replacements.hpp"
#include "kernel_making.hpp"

#include "sycl/exception.hpp"

#include <algorithm>
#include <cassert>

namespace falx {
namespace {

/// A kernel whose captured sizes change from launch to launch is not worth compiling for each.
constexpr std::size_t MOST_VERSIONS_BY_CAPTURE = 16;
/// The same for what launches had in common, over all devices, local ranges and captured sizes.
constexpr std::size_t MOST_LEARNED_VERSIONS = 16;

std::unique_ptr<learned_launches> launches_to_learn_from(const image_state& image,
                                                         const image::kernel_metadata& kernel) {
  const bool is_timed =
      adaptivity_level() == adaptivity::requested && the_environment().code_tier == code_tier::automatic;
  if (adaptivity_level() != adaptivity::automatic && !is_timed)
    return nullptr;
  return std::make_unique<learned_launches>(image.image().sha256, kernel);
}

/// What the kernel is to be specialised on, if \p configuration is for the function object.
launch_constants requested_constants(const image::kernel_metadata& kernel,
                                     const kernel_configuration& configuration, const void* function) {
  launch_constants constants;
  if (configuration.captured[0] != 0)
    for (const image::byte_part& part : kernel.specialized_parts) {
      const auto* const begin = static_cast<const unsigned char*>(function) + part.offset;
      constants.captured.push_back({part.offset, {begin, begin + part.size}});
    }
  return constants;
}

} // namespace

kernel_state::kernel_state(const kernel_descriptor& descriptor, image_state& image,
                           const image::kernel_metadata& metadata)
    : descriptor_(descriptor), image_(image), metadata_(metadata), pointers_(metadata),
      learned_(launches_to_learn_from(image, metadata)),
      compares_(adaptivity_level() != adaptivity::automatic) {
  assert(slot(descriptor_).load() == nullptr && "a kernel has one state");
  slot(descriptor_).store(this, std::memory_order_release);
}

kernel_state::~kernel_state() {
  assert(slot(descriptor_).load() == this && "a kernel has one state");
  slot(descriptor_).store(nullptr, std::memory_order_release);
}

loaded_kernel& kernel_state::load_slowly(backend_device& device, const kernel_configuration& configuration,
                                         const specialization_constants* constants, const void* function,
                                         const function_replacements* functions, std::uint64_t work_items) {
  const std::lock_guard lock(mutex_);
  if (loaded_kernel* made_meanwhile = versions_.find(device, configuration, constants))
    return *made_meanwhile;
  kernel_configuration chosen = configuration;
  if (configuration.captured[0] != 0 && ++versions_by_capture_ > MOST_VERSIONS_BY_CAPTURE) {
    chosen.captured[0] = chosen.captured[1] = 0;
    if (loaded_kernel* made_before = versions_.find(device, chosen, constants))
      return *made_before;
  }
  const std::vector<kernel_use> images = images_for(image_, functions);
  return versions_.add(device, chosen, constants,
                       make_kernel(images, metadata_, device, chosen, constants,
                                   requested_constants(metadata_, chosen, function), functions, work_items));
}

loaded_kernel& kernel_state::load_learned(backend_device& device, const kernel_configuration& configuration,
                                          const specialization_constants* constants, const void* function,
                                          const function_replacements* functions,
                                          const launch_geometry& geometry) {
  if (const learned_version* learned = learned_->version_for(device, function, geometry)) {
    loaded_kernel* const known = versions_.find(device, learned->added_to(configuration), constants);
    if (known != nullptr && !known->is_given_up())
      return *known;
    if (known == nullptr && learned_versions_.load(std::memory_order_relaxed) < MOST_LEARNED_VERSIONS)
      if (loaded_kernel* kernel =
              make_learned(device, configuration, constants, function, functions, *learned))
        return *kernel;
  }
  const extent3& range = geometry.global_range;
  return load(device, configuration, constants, function, functions, range.x * range.y * range.z);
}

loaded_kernel* kernel_state::make_learned(backend_device& device, const kernel_configuration& configuration,
                                          const specialization_constants* constants, const void* function,
                                          const function_replacements* functions,
                                          const learned_version& learned) {
  const std::lock_guard lock(mutex_);
  const kernel_configuration chosen = learned.added_to(configuration);
  if (loaded_kernel* made_meanwhile = versions_.find(device, chosen, constants))
    return made_meanwhile;
  launch_constants known = requested_constants(metadata_, configuration, function);
  if (!compares_)
    learned.add_to(known);
  learned_versions_.fetch_add(1, std::memory_order_relaxed);
  try {
    std::unique_ptr<loaded_kernel> kernel;
    if (!compares_)
      kernel =
          make_kernel(images_for(image_, functions), metadata_, device, chosen, constants, known, functions,
                      /*work_items=*/0);
    else if (functions == nullptr)
      kernel = make_kernel_to_compare(images_for(image_, functions), metadata_, device, configuration,
                                      constants, known, learned);
    if (kernel != nullptr)
      return &versions_.add(device, chosen, constants, std::move(kernel));
    learned.abandon();
    return nullptr;
  } catch (const sycl::exception&) {
    // The program has not requested this version. If the kernel cannot be had at all, its generic version
    // says why.
    learned.abandon();
    return nullptr;
  }
}

kernel_use::kernel_use(const kernel_descriptor& kernel) : kernel_use(state_of(kernel).image()) {}

loaded_kernel& kernel_for(const kernel_descriptor& kernel, device_state& device,
                          const kernel_configuration& configuration,
                          const specialization_constants* constants, const void* function,
                          const function_replacements* functions, std::uint64_t work_items) {
  return state_of(kernel).load(device.backend(), configuration, constants, function, functions, work_items);
}

std::vector<const void*> kernel_state::constants_read(const function_replacements* functions) const {
  std::vector<const void*> ids;
  const bool has_imports = !image_.image().imports.empty() || functions != nullptr;
  if (image_.image().constants.empty() && !has_imports)
    return ids;
  const std::vector<kernel_use> images = images_for(image_, functions);
  for (std::size_t index = 0; index < images.size(); ++index) {
    const image_state& image = *images[index].image();
    for (std::size_t i = 0; i < image.image().constants.size(); ++i) {
      const image::constant_metadata& constant = image.image().constants[i];
      if (may_use(metadata_.name, index, constant.kernels, has_imports && constant.read_by_exports))
        ids.push_back(image.constant_id(i));
    }
  }
  return ids;
}

specialization_constants constants_for(const kernel_descriptor& kernel,
                                       const specialization_constants& values,
                                       const function_replacements* functions) {
  specialization_constants read;
  if (!values.empty())
    for (const void* id : state_of(kernel).constants_read(functions))
      if (const specialization_constants::value* value = values.value_of(id))
        read.set(id, value->bytes.data(), value->bytes.size());
  return read;
}

kernel_configuration configuration_of(const image::kernel_metadata& kernel, const launch_geometry& geometry,
                                      const backend_device& device, const void* function,
                                      const function_replacements* functions) noexcept {
  kernel_configuration configuration;
  configuration.sub_group_size = kernel.reqd_sub_group_size;
  configuration.sub_group_size_is_required = kernel.reqd_sub_group_size != 0;
  if (geometry.kind == kernel_kind::nd_range || geometry.kind == kernel_kind::work_group) {
    const extent3& local = geometry.local_range;
    configuration.local_range[0] = static_cast<std::uint32_t>(local.x);
    configuration.local_range[1] = static_cast<std::uint32_t>(local.y);
    configuration.local_range[2] = static_cast<std::uint32_t>(local.z);
  }
  if (function != nullptr && !kernel.specialized_parts.empty() && adaptivity_level() != adaptivity::off) {
    std::uint64_t digest[2] = {1, 2}; // seeds
    for (const image::byte_part& part : kernel.specialized_parts)
      for (std::uint64_t& half : digest)
        half = checksum64({static_cast<const unsigned char*>(function) + part.offset, part.size}, half);
    configuration.captured[0] = digest[0] | 1; // 0 says that nothing is known
    configuration.captured[1] = digest[1];
  }
  if (functions != nullptr) {
    configuration.functions[0] = functions->digest()[0];
    configuration.functions[1] = functions->digest()[1];
  }
  device.specialize(geometry, configuration);
  return configuration;
}

} // namespace falx
