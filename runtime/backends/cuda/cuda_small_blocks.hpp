// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace falx {

/// Small blocks of memory that costs much to allocate, cut from large ones, which are kept: pinned host
/// memory takes the driver a hundred microseconds. Thread-safe.
class cuda_small_blocks {
  static constexpr std::size_t SMALLEST = 256, SIZES = 8;

public:
  static constexpr std::size_t LARGEST = SMALLEST << (SIZES - 1);

  /// \p allocate_slab gives memory aligned to LARGEST, or throws.
  explicit cuda_small_blocks(std::function<void*(std::size_t bytes)> allocate_slab)
      : allocate_slab_(std::move(allocate_slab)) {}

  /// Null if the block is not small. Throws what allocate_slab throws.
  void* allocate(std::size_t bytes, std::size_t alignment);
  /// False if the block is not from here.
  bool free(void* block) noexcept;

private:
  static constexpr std::size_t SLAB = std::size_t{1} << 20;

  const std::function<void*(std::size_t)> allocate_slab_;
  std::mutex mutex_;
  /// By size: SMALLEST, twice that, ….
  std::array<std::vector<void*>, SIZES> unused_;
  /// The sizes' indices of blocks in use.
  std::unordered_map<void*, std::size_t> used_;
};

} // namespace falx
