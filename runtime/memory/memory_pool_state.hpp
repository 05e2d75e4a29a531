// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device_state.hpp"
#include "falx/handle.hpp"
#include "falx/memory.hpp"
#include "process/ref_counted.hpp"

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace falx {

class command;
class command_group;
class context_state;
void retain(command*) noexcept;
void release(command*) noexcept;

/// Device memory that commands free into: what a command of async_free frees comes back when it is complete,
/// so that no command has to wait for the host. Allocations keep the pool. Thread-safe.
class memory_pool_state final : public ref_counted {
public:
  memory_pool_state(handle<device_state> device, const memory_pool_limits& limits);

  device_state& device() const noexcept { return *device_; }
  std::size_t threshold() const noexcept;
  std::size_t reserved() const noexcept;
  std::size_t used() const noexcept;
  void increase_threshold_to(std::size_t threshold) noexcept;
  std::size_t maximum() const noexcept { return limits_.maximum; }

  /// A block of USM that belongs to \p context; null if the pool would have more than its maximum, for which
  /// it waits for commands that are about to free memory. Throws sycl::exception with errc::memory_allocation
  /// if the device has none. Not to be called with locks held.
  void* allocate(std::size_t bytes, const handle<context_state>& context);
  /// The group's command frees the block. Throws errc::invalid if it is no block of a pool.
  static void free_after(command_group& group, void* pointer);

private:
  ~memory_pool_state() override;
  /// Null if the pool would have more than its maximum.
  void* take(std::size_t bytes);
  void give_back(void* pointer) noexcept;
  /// Gives unused blocks back to the device until no more than \p most bytes are reserved.
  void shrink(std::size_t most) noexcept;
  /// A command of free_after is complete.
  void finish_free(void* pointer) noexcept;
  /// Returns when a block has come back; false if no command is about to free any.
  bool wait_for_free();

  const handle<device_state> device_;
  const memory_pool_limits limits_;

  mutable std::mutex mutex_;
  std::size_t threshold_;
  std::size_t reserved_ = 0, used_ = 0;
  std::multimap<std::size_t, void*> unused_;
  std::map<void*, std::size_t> blocks_;
  /// Commands that will free blocks, and some that have.
  std::vector<handle<command>> frees_;
  /// Blocks that will come back, and how many have. They do a moment after their command is complete.
  std::size_t awaited_ = 0, returned_ = 0;
  std::condition_variable has_returned_;
};

} // namespace falx
