// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device_state.hpp"
#include "falx/handle.hpp"
#include "falx/memory.hpp"
#include "memory/device_globals.hpp"
#include "process/ref_counted.hpp"
#include "sycl/exception.hpp"
#include "sycl/property_list.hpp"

#include <mutex>
#include <vector>

namespace falx {

/// What sycl::context holds: devices of one platform that share memory objects, and the handler of their
/// asynchronous errors. Immutable but for the memory of device globals; thread-safe.
class context_state final : public ref_counted {
public:
  /// \p devices is not empty and all of one platform.
  context_state(std::vector<handle<device_state>> devices, sycl::async_handler handler,
                sycl::property_list properties);

  /// The context of queues that are constructed from a device alone: one per platform, with all its devices
  /// and no handler, so that such queues share memory allocations.
  static handle<context_state> default_for(device_state& device);

  const std::vector<handle<device_state>>& devices() const noexcept { return devices_; }
  platform_state& platform() const noexcept { return devices_.front()->platform(); }
  /// Whether the device is one of them, or a part of one.
  bool contains(const device_state& device) const noexcept;
  /// Empty if the user gave none.
  const sycl::async_handler& handler() const noexcept { return handler_; }
  const sycl::property_list& properties() const noexcept { return properties_; }
  device_global_memory& device_globals() const noexcept { return device_globals_; }
  /// Made on first use.
  handle<memory_pool_state> default_memory_pool(device_state& device) const;

private:
  std::vector<handle<device_state>> devices_;
  sycl::async_handler handler_;
  sycl::property_list properties_;
  mutable device_global_memory device_globals_;
  mutable std::mutex memory_pools_mutex_;
  mutable std::vector<handle<memory_pool_state>> memory_pools_;
};

void retain(context_state*) noexcept;
void release(context_state*) noexcept;

} // namespace falx
