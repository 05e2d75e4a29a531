// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_state.hpp"

#include "checksum.hpp"
#include "device_state.hpp"
#include "jit_loader.hpp"
#include "kernel_cache.hpp"
#include "sycl/exception.hpp"

#include <algorithm>

namespace falx {
namespace {

bool equal(const specialization_constants& a, const specialization_constants* b) noexcept {
  return b == nullptr ? a.empty() : a == *b;
}

/// Whether \p constant of the image at \p index of those that a kernel is linked from is one that it may
/// read.
bool may_read(const image::constant_metadata& constant, std::string_view kernel, std::size_t index,
              bool has_imports) {
  return (has_imports && constant.read_by_exports) ||
         (index == 0 && std::ranges::find(constant.kernels, kernel) != constant.kernels.end());
}

/// The values as the JIT wants them: in the order of the images and their constants.
std::vector<jit::specialization_constant> constants_of(std::span<const kernel_use> images,
                                                       const specialization_constants* values) {
  std::vector<jit::specialization_constant> result;
  if (values == nullptr)
    return result;
  for (std::size_t index = 0; index < images.size(); ++index) {
    const image_state& image = *images[index].image();
    for (std::size_t i = 0; i < image.image().constants.size(); ++i)
      if (const image::constant_metadata& constant = image.image().constants[i];
          const specialization_constants::value* value = values->value_of(image.constant_id(i)))
        result.push_back({static_cast<std::uint32_t>(index), constant.symbol, value->bytes});
  }
  return result;
}

/// The process's cache; an empty one if it is not known which JIT would make the kernels.
kernel_cache usable_cache() {
  return jit_identity().empty() ? kernel_cache({}, 0) : kernel_cache::instance();
}

/// Everything that the compiled bytes depend on.
digest128 cache_key(std::span<const kernel_use> images, std::string_view kernel, const backend_device& device,
                    const jit::configuration& configuration,
                    std::span<const jit::specialization_constant> constants) {
  digest_builder key;
  key.add(jit_identity()).add(device.jit_target()).add(device.target_digest()).add(kernel);
  for (std::uint32_t extent : configuration.local_range)
    key.add(extent);
  key.add(configuration.sub_group_size).add(configuration.optimization_level);
  key.add(configuration.narrow_indices).add(configuration.linear_grid).add(images.size());
  for (const kernel_use& use : images)
    key.add(use.image()->image().sha256);
  for (const jit::specialization_constant& constant : constants)
    key.add(constant.image)
        .add(constant.symbol)
        .add({reinterpret_cast<const char*>(constant.bytes.data()), constant.bytes.size()});
  return key.finish();
}

} // namespace

kernel_state::kernel_state(const kernel_descriptor& descriptor, image_state& image,
                           const image::kernel_metadata& metadata)
    : descriptor_(descriptor), image_(image), metadata_(metadata) {
  slot(descriptor_).store(this, std::memory_order_release);
}

kernel_state::~kernel_state() {
  slot(descriptor_).store(nullptr, std::memory_order_release);
  for (std::atomic<version*>& head : versions_)
    for (std::unique_ptr<version> next(head.load(std::memory_order_acquire)); next != nullptr;)
      next = std::move(next->next);
}

std::size_t kernel_state::bucket(const backend_device& device, const jit::configuration& configuration,
                                 const specialization_constants* constants) noexcept {
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(&device) >> 4;
  for (std::uint32_t extent : configuration.local_range)
    hash = hash * 31 + extent;
  hash = hash * 31 + configuration.sub_group_size;
  if (constants != nullptr && !constants->empty())
    hash = hash * 31 + constants->hash();
  return (hash * 0x9E3779B97F4A7C15) >> 61; // the top three bits: BUCKETS is 8
}

loaded_kernel* kernel_state::find(const backend_device& device, const jit::configuration& configuration,
                                  const specialization_constants* constants) const noexcept {
  const version* candidate =
      versions_[bucket(device, configuration, constants)].load(std::memory_order_acquire);
  for (; candidate != nullptr; candidate = candidate->next.get())
    if (candidate->device == &device && candidate->configuration == configuration &&
        equal(candidate->constants, constants))
      return candidate->kernel.get();
  return nullptr;
}

loaded_kernel& kernel_state::load_slowly(backend_device& device, const jit::configuration& configuration,
                                         const specialization_constants* constants) {
  const std::lock_guard lock(mutex_);
  if (loaded_kernel* made_meanwhile = find(device, configuration, constants))
    return *made_meanwhile;
  auto made = std::make_unique<version>(&device, configuration,
                                        constants != nullptr ? *constants : specialization_constants(),
                                        make(device, configuration, constants));
  std::atomic<version*>& head = versions_[bucket(device, configuration, constants)];
  made->next.reset(head.load(std::memory_order_relaxed));
  loaded_kernel& kernel = *made->kernel;
  head.store(made.release(), std::memory_order_release);
  return kernel;
}

std::unique_ptr<loaded_kernel> kernel_state::make(backend_device& device,
                                                  const jit::configuration& configuration,
                                                  const specialization_constants* constants) const {
  const std::vector<kernel_use> images = images_for(image_);
  const kernel_names names{metadata_.name, metadata_.pretty_name};
  jit::request request;
  request.constants = constants_of(images, constants);
  const digest128 key = cache_key(images, metadata_.name, device, configuration, request.constants);
  const kernel_cache cache = usable_cache();
  if (const std::optional<kernel_cache::entry> entry = cache.find(key)) {
    try {
      return device.load({.path = entry->path, .bytes = {}, .size = entry->size}, names);
    } catch (const sycl::exception&) {
      // Evicted a moment ago, or of no use to this backend: made anew below.
    }
  }

  for (const kernel_use& use : images)
    request.images.push_back(use.image()->image().bitcode);
  request.kernel = metadata_.name;
  request.kind = metadata_.kind;
  request.dimensions = metadata_.dimensions;
  request.target = device.jit_target();
  request.cpu = device.jit_cpu();
  request.features = device.jit_features();
  request.math_library = device.jit_math_library();
  request.config = configuration;
  jit::response response = jit_compile(request);
  if (!response.ok)
    throw sycl::exception(sycl::errc::build, "kernel '" + metadata_.pretty_name +
                                                 "' could not be compiled for " + device.description().name +
                                                 ": " + response.diagnostic);

  if (const std::optional<kernel_cache::entry> entry = cache.store(key, response.binary)) {
    try {
      return device.load({.path = entry->path, .bytes = {}, .size = entry->size}, names);
    } catch (const sycl::exception&) {
      // The cache may be emptied at any time; the bytes are still here.
    }
  }
  return device.load({.path = {}, .bytes = std::move(response.binary), .size = 0}, names);
}

kernel_use::kernel_use(const kernel_descriptor& kernel) : kernel_use(state_of(kernel).image()) {}

loaded_kernel& kernel_for(const kernel_descriptor& kernel, device_state& device,
                          const jit::configuration& configuration,
                          const specialization_constants* constants) {
  return state_of(kernel).load(device.backend(), configuration, constants);
}

std::vector<const void*> kernel_state::constants_read() const {
  std::vector<const void*> ids;
  const bool has_imports = !image_.image().imports.empty();
  if (image_.image().constants.empty() && !has_imports)
    return ids;
  const std::vector<kernel_use> images = images_for(image_);
  for (std::size_t index = 0; index < images.size(); ++index) {
    const image_state& image = *images[index].image();
    for (std::size_t i = 0; i < image.image().constants.size(); ++i)
      if (may_read(image.image().constants[i], metadata_.name, index, has_imports))
        ids.push_back(image.constant_id(i));
  }
  return ids;
}

specialization_constants constants_for(const kernel_descriptor& kernel,
                                       const specialization_constants& values) {
  specialization_constants read;
  if (!values.empty())
    for (const void* id : state_of(kernel).constants_read())
      if (const specialization_constants::value* value = values.value_of(id))
        read.set(id, value->bytes.data(), value->bytes.size());
  return read;
}

jit::configuration configuration_of(const image::kernel_metadata& kernel,
                                    const launch_geometry& geometry) noexcept {
  jit::configuration configuration;
  configuration.sub_group_size = kernel.reqd_sub_group_size;
  if (geometry.kind == kernel_kind::nd_range || geometry.kind == kernel_kind::work_group) {
    const extent3& local = geometry.local_range;
    configuration.local_range[0] = static_cast<std::uint32_t>(local.x);
    configuration.local_range[1] = static_cast<std::uint32_t>(local.y);
    configuration.local_range[2] = static_cast<std::uint32_t>(local.z);
  }
  return configuration;
}

} // namespace falx
