// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "binary_loader.hpp"

#include "kernel_cache.hpp"
#include "preloaded_kernels.hpp"
#include "sycl/exception.hpp"

#include <optional>
#include <utility>

namespace falx {
namespace {

/// Null if it cannot be loaded from there: evicted a moment ago, of no use to this backend, or where the
/// system executes nothing.
std::unique_ptr<loaded_kernel> load_file(backend_device& device, const kernel_names& names,
                                         const std::optional<kernel_cache::entry>& entry) {
  if (!entry)
    return nullptr;
  try {
    return device.load({.path = entry->path, .bytes = {}}, names);
  } catch (const sycl::exception&) {
    return nullptr; // the caller makes it from the JIT's code or anew
  }
}

} // namespace

std::unique_ptr<loaded_kernel> binary_loader::load_bytes(std::vector<unsigned char> code) const {
  return device_.load({.path = {}, .bytes = std::move(code)}, names_);
}

std::unique_ptr<loaded_kernel> binary_loader::load_from_cache(const digest128& key) const {
  if (device_.loads_files())
    if (auto kernel = load_file(device_, names_, usable_kernel_cache().find(key)))
      return kernel;
  std::vector<unsigned char> code = usable_kernel_cache().read(key);
  if (code.empty())
    return nullptr;
  try {
    return load_bytes(std::move(code));
  } catch (const sycl::exception&) {
    return nullptr; // it is made again
  }
}

std::unique_ptr<loaded_kernel> binary_loader::load_cached(const digest128& key) const {
  preloaded_kernels* const preloaded = preloaded_kernels_of(device_);
  if (preloaded == nullptr)
    return load_from_cache(key);
  if (auto kernel = preloaded->take(image_, key))
    return kernel;
  auto kernel = load_from_cache(key);
  if (kernel != nullptr)
    preloaded->remember(image_, key, names_);
  return kernel;
}

std::unique_ptr<loaded_kernel> binary_loader::load(const digest128& key,
                                                   std::vector<unsigned char> code) const {
  const std::optional<kernel_cache::entry> entry = usable_kernel_cache().store(key, code);
  if (device_.loads_files())
    if (auto kernel = load_file(device_, names_, entry))
      return kernel;
  auto kernel = load_bytes(std::move(code));
  if (preloaded_kernels* const preloaded = preloaded_kernels_of(device_))
    preloaded->remember(image_, key, names_);
  return kernel;
}

} // namespace falx
