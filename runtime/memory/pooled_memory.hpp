// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device_state.hpp"
#include "falx/memory.hpp"

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace falx {

/// Memory of one kind on one device that single commands need while they run. Blocks are kept for later
/// commands, as allocating takes longer than a small kernel; there are as many as were ever in use at a time.
/// Thread-safe.
class pooled_memory {
public:
  struct block {
    void* memory = nullptr;
    pooled_memory* pool = nullptr;
    unsigned size_class = 0;
  };

  /// The pool of a device and kind, of which there is one for the life of the process. Memory of kind device
  /// is zero when it is new.
  static pooled_memory& of(device_state& device, usm_kind kind);

  pooled_memory(device_state& device, usm_kind kind) noexcept : device_(device), kind_(kind) {}
  pooled_memory(const pooled_memory&) = delete;
  pooled_memory& operator=(const pooled_memory&) = delete;

  /// A block of at least \p bytes, aligned to 64 bytes, with the contents that its last user left. The one
  /// used last comes first: devices may have it in their caches. Throws sycl::exception with
  /// errc::memory_allocation when memory runs out. Not to be called with locks held.
  block take(std::size_t bytes);
  /// What used the block is complete.
  static void give_back(const block& used) noexcept;

  device_state& device() const noexcept { return device_; }
  usm_kind kind() const noexcept { return kind_; }

private:
  static constexpr unsigned SMALLEST_CLASS = 13; // 8 KiB
  /// Small blocks are allocated several at a time.
  static constexpr std::size_t BYTES_AT_A_TIME = std::size_t{256} << 10;

  /// Allocates blocks of a size class: one for the caller, the others to keep.
  block make(unsigned size_class);

  device_state& device_;
  const usm_kind kind_;
  std::mutex mutex_;
  /// By the logarithm of their size. Each has room for all blocks that exist, so that giving back never
  /// fails.
  std::array<std::vector<void*>, 64> free_;
  std::array<std::size_t, 64> existing_{};
};

} // namespace falx
