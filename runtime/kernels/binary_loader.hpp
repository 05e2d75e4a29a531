// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "checksum.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace falx {

/// Code of one kernel to what a device can launch, by way of the kernel cache and of what was loaded ahead
/// (preloaded_kernels.hpp).
class binary_loader {
public:
  /// \p image is the digest of the image that the kernel is of.
  binary_loader(backend_device& device, const kernel_names& names, std::string_view image)
      : device_(device), names_(names), image_(image) {}

  const kernel_names& names() const noexcept { return names_; }
  /// Null if there is no such entry, or none that can be loaded.
  std::unique_ptr<loaded_kernel> load_cached(const digest128& key) const;
  /// Caches the code and loads it, from the cache if possible.
  std::unique_ptr<loaded_kernel> load(const digest128& key, std::vector<unsigned char> code) const;
  std::unique_ptr<loaded_kernel> load_bytes(std::vector<unsigned char> code) const;

private:
  std::unique_ptr<loaded_kernel> load_from_cache(const digest128& key) const;

  backend_device& device_;
  const kernel_names names_;
  const std::string_view image_;
};

} // namespace falx
