// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cuda_context.hpp"
#include "cuda_description.hpp"
#include "cuda_small_blocks.hpp"
#include "falx/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace falx {

/// Unified shared memory of one device. Device memory comes from a pool of the driver that keeps what is
/// freed, so that neither allocating nor freeing stops the device. Thread-safe.
class cuda_memory {
public:
  cuda_memory(cuda_context& context, const cuda_limits& limits)
      : context_(context), limits_(limits), small_host_blocks_([this](std::size_t bytes) {
          return allocate_block(usm_kind::host, bytes, cuda_small_blocks::LARGEST);
        }) {}

  /// Throws sycl::exception with errc::memory_allocation, with sizes.
  void* allocate(usm_kind kind, std::size_t bytes, std::size_t alignment);
  void free(usm_kind kind, void* pointer) noexcept;

  /// Bytes that allocations can still have.
  std::uint64_t free_bytes();
  /// The pool of device memory; null if the device has none.
  cuda::pool_handle pool();

private:
  void make_pool();
  /// Copies between devices need it, also those of buffers, which no program requests: memory of pools cannot
  /// be reached from another device otherwise.
  void open_to_peers();
  void* allocate_block(usm_kind kind, std::size_t bytes, std::size_t alignment);
  cuda::result allocate_device(cuda::device_pointer& block, std::size_t bytes);
  cuda::result allocate_native(usm_kind kind, cuda::device_pointer& block, std::size_t bytes);
  void free_native(usm_kind kind, cuda::device_pointer block) noexcept;

  cuda_context& context_;
  const cuda_limits& limits_;
  std::once_flag pool_made_;
  cuda::pool_handle pool_ = nullptr;
  /// Orders allocations and frees of the pool among themselves.
  cuda::stream_handle stream_ = nullptr;

  cuda_small_blocks small_host_blocks_;

  std::mutex mutex_;
  /// What the driver gave, by what the program got, where alignment made a difference.
  std::unordered_map<void*, cuda::device_pointer> aligned_;
};

} // namespace falx
