// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learned_launches.hpp"

#include "backends/backend.hpp"
#include "kernels/kernel_cache.hpp"

#include <vector>

namespace falx {

learned_launches::learned_launches(std::string_view image_digest, const image::kernel_metadata& kernel)
    : image_digest_(image_digest), kernel_(image::format_kernel_line(kernel)), features_(kernel) {}

learned_launches::device_launches& learned_launches::add(const backend_device& device) {
  const std::lock_guard lock(mutex_);
  for (const std::unique_ptr<device_launches>& some : all_)
    if (some->device == &device)
      return *some;
  auto added = std::make_unique<device_launches>(features_);
  added->device = &device;
  added->key = digest_builder()
                   .add("launches")
                   .add(image_digest_)
                   .add(kernel_)
                   .add(device.jit_target())
                   .add(device.jit_cpu())
                   .add(device.jit_features())
                   .add(device.jit_host())
                   .finish();
  if (const std::vector<unsigned char> memory = kernel_cache::instance().read(added->key); !memory.empty())
    added->observer.remember(memory);
  added->next = first_.load(std::memory_order_relaxed);
  first_.store(added.get(), std::memory_order_release);
  return *all_.emplace_back(std::move(added));
}

void learned_launches::store(const device_launches& launches) {
  // Of several processes that learn at once the last one is kept.
  kernel_cache::instance().store(launches.key, launches.observer.memory());
}

} // namespace falx
