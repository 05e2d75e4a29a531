// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/operation.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

/// \file
/// The memory of device globals. The variable of the host program is the name, by its address, and the
/// initial value; each context has one allocation of it per device.

namespace falx {

class device_state;

/// Where a context's device globals live. Thread-safe; what is there is found without a lock.
class device_global_memory {
public:
  device_global_memory();
  /// Nothing uses the memory any more.
  ~device_global_memory();
  device_global_memory(const device_global_memory&) = delete;
  device_global_memory& operator=(const device_global_memory&) = delete;

  /// The variable's memory on the device. The first call allocates it and waits until it is initialised; not
  /// to be called with locks held. Throws sycl::exception with errc::memory_allocation if memory runs out,
  /// and what the device fails with.
  void* find(device_state& device, const device_global_variable& variable) {
    void* const memory = find_in(*current_.load(std::memory_order_acquire), device, variable.address);
    return memory != nullptr ? memory : make(device, variable);
  }

  /// Frees the variable's memory, which nothing uses any more.
  void erase(const void* variable) noexcept;

private:
  struct allocation {
    const void* variable;
    device_state* device;
    void* memory;
  };
  using snapshot = std::vector<allocation>; // sorted by variable

  static void* find_in(const snapshot& all, const device_state& device, const void* variable) noexcept;
  void* make(device_state& device, const device_global_variable& variable);
  void set_current(snapshot next);

  std::atomic<const snapshot*> current_{nullptr};
  std::mutex mutex_; // guards what follows
  /// The last is the current one; others may still be read.
  std::vector<std::unique_ptr<const snapshot>> snapshots_;
};

/// Frees the variable's memory in all contexts: its library is about to be unloaded.
void erase_device_global(const void* variable) noexcept;

} // namespace falx
