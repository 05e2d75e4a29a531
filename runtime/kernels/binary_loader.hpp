// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "checksum.hpp"

#include <memory>
#include <vector>

namespace falx {

/// Code of one kernel to what a device can launch, by way of the kernel cache.
class binary_loader {
public:
  binary_loader(backend_device& device, const kernel_names& names) : device_(device), names_(names) {}

  const kernel_names& names() const noexcept { return names_; }
  /// Null if there is no such entry, or none that can be loaded.
  std::unique_ptr<loaded_kernel> load_cached(const digest128& key) const;
  /// Caches the code and loads it, from the cache if possible.
  std::unique_ptr<loaded_kernel> load(const digest128& key, std::vector<unsigned char> code) const;
  std::unique_ptr<loaded_kernel> load_bytes(std::vector<unsigned char> code) const;

private:
  backend_device& device_;
  const kernel_names names_;
};

} // namespace falx
