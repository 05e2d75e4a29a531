// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_state.hpp"

#include "checksum.hpp"
#include "device_state.hpp"
#include "jit_loader.hpp"
#include "kernel_cache.hpp"
#include "sycl/exception.hpp"

namespace falx {
namespace {

bool equal(const jit::configuration& a, const jit::configuration& b) noexcept {
  return a.local_range[0] == b.local_range[0] && a.local_range[1] == b.local_range[1] &&
         a.local_range[2] == b.local_range[2] && a.sub_group_size == b.sub_group_size &&
         a.optimization_level == b.optimization_level;
}

/// The process's cache; an empty one if it is not known which JIT would make the kernels.
kernel_cache usable_cache() {
  return jit_identity().empty() ? kernel_cache({}, 0) : kernel_cache::instance();
}

/// Everything that the compiled bytes depend on.
digest128 cache_key(std::span<const kernel_use> images, std::string_view kernel, const backend_device& device,
                    const jit::configuration& configuration) {
  digest_builder key;
  key.add(jit_identity()).add(device.jit_target()).add(device.target_digest()).add(kernel);
  for (std::uint32_t extent : configuration.local_range)
    key.add(extent);
  key.add(configuration.sub_group_size).add(configuration.optimization_level).add(images.size());
  for (const kernel_use& use : images)
    key.add(use.image()->image().sha256);
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

std::size_t kernel_state::bucket(const backend_device& device,
                                 const jit::configuration& configuration) noexcept {
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(&device) >> 4;
  for (std::uint32_t extent : configuration.local_range)
    hash = hash * 31 + extent;
  hash = hash * 31 + configuration.sub_group_size;
  return (hash * 0x9E3779B97F4A7C15) >> 61; // the top three bits: BUCKETS is 8
}

loaded_kernel* kernel_state::find(const backend_device& device,
                                  const jit::configuration& configuration) const noexcept {
  const version* candidate = versions_[bucket(device, configuration)].load(std::memory_order_acquire);
  for (; candidate != nullptr; candidate = candidate->next.get())
    if (candidate->device == &device && equal(candidate->configuration, configuration))
      return candidate->kernel.get();
  return nullptr;
}

loaded_kernel& kernel_state::load_slowly(backend_device& device, const jit::configuration& configuration) {
  const std::lock_guard lock(mutex_);
  if (loaded_kernel* made_meanwhile = find(device, configuration))
    return *made_meanwhile;
  auto made = std::make_unique<version>(&device, configuration, make(device, configuration));
  std::atomic<version*>& head = versions_[bucket(device, configuration)];
  made->next.reset(head.load(std::memory_order_relaxed));
  loaded_kernel& kernel = *made->kernel;
  head.store(made.release(), std::memory_order_release);
  return kernel;
}

std::unique_ptr<loaded_kernel> kernel_state::make(backend_device& device,
                                                  const jit::configuration& configuration) const {
  const std::vector<kernel_use> images = images_for(image_);
  const digest128 key = cache_key(images, metadata_.name, device, configuration);
  const kernel_cache cache = usable_cache();
  if (const std::optional<kernel_cache::entry> entry = cache.find(key)) {
    try {
      return device.load({.path = entry->path, .bytes = {}, .size = entry->size}, metadata_.pretty_name);
    } catch (const sycl::exception&) {
      // Evicted a moment ago, or of no use to this backend: made anew below.
    }
  }

  jit::request request;
  for (const kernel_use& use : images)
    request.images.push_back(use.image()->image().bitcode);
  request.kernel = metadata_.name;
  request.kind = metadata_.kind;
  request.dimensions = metadata_.dimensions;
  request.target = device.jit_target();
  request.config = configuration;
  jit::response response = jit_compile(request);
  if (!response.ok)
    throw sycl::exception(sycl::errc::build, "kernel '" + metadata_.pretty_name +
                                                 "' could not be compiled for " + device.description().name +
                                                 ": " + response.diagnostic);

  if (const std::optional<kernel_cache::entry> entry = cache.store(key, response.binary)) {
    try {
      return device.load({.path = entry->path, .bytes = {}, .size = entry->size}, metadata_.pretty_name);
    } catch (const sycl::exception&) {
      // The cache may be emptied at any time; the bytes are still here.
    }
  }
  return device.load({.path = {}, .bytes = std::move(response.binary), .size = 0}, metadata_.pretty_name);
}

kernel_use::kernel_use(const kernel_descriptor& kernel) : kernel_use(state_of(kernel).image()) {}

loaded_kernel& kernel_for(const kernel_descriptor& kernel, device_state& device,
                          const jit::configuration& configuration) {
  return state_of(kernel).load(device.backend(), configuration);
}

} // namespace falx
