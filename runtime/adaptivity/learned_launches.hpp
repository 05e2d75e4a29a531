// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernels/checksum.hpp"
#include "launch_features.hpp"
#include "launch_observer.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace falx {

class backend_device;

/// What launches of one kernel have shown, on each device: in memory, and beside the compiled kernels on
/// disk, so that the next process begins with what this one has learned (FALX_ADAPTIVITY=2). Thread-safe.
class learned_launches {
public:
  /// \p image_digest and what the image says of the kernel tell whose launches they are, whichever process
  /// makes them, and what of them is kept.
  learned_launches(std::string_view image_digest, const image::kernel_metadata& kernel);

  /// The version for a launch, which counts as seen; null for the one that knows nothing of it.
  const learned_version* version_for(const backend_device& device, const void* function,
                                     const launch_geometry& geometry) {
    device_launches& launches = launches_on(device);
    bool has_learned = false;
    const learned_version* const version = launches.observer.see(function, geometry, has_learned);
    if (has_learned) [[unlikely]]
      store(launches);
    return version;
  }

private:
  /// On one device.
  struct device_launches {
    explicit device_launches(const launch_features& features) : observer(features) {}
    const backend_device* device = nullptr;
    digest128 key;
    launch_observer observer;
    device_launches* next = nullptr;
  };

  device_launches& launches_on(const backend_device& device) {
    for (device_launches* some = first_.load(std::memory_order_acquire); some != nullptr; some = some->next)
      if (some->device == &device) [[likely]]
        return *some;
    return add(device);
  }
  device_launches& add(const backend_device& device);
  static void store(const device_launches& launches);

  const std::string_view image_digest_;
  const std::string kernel_;
  const launch_features features_;
  /// A list that only grows, at its beginning.
  std::atomic<device_launches*> first_{nullptr};
  std::mutex mutex_; // guards growing
  std::vector<std::unique_ptr<device_launches>> all_;
};

} // namespace falx
