// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_memory.hpp"

#include "cuda_peers.hpp"
#include "falx/sizes.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace falx {
namespace {

/// What the driver aligns everything to.
constexpr std::size_t DRIVER_ALIGNMENT = 256;

const char* name_of(usm_kind kind) noexcept {
  return kind == usm_kind::host ? "host" : kind == usm_kind::shared ? "shared" : "device";
}

void* as_pointer(cuda::device_pointer address) noexcept {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}
cuda::device_pointer as_address(const void* pointer) noexcept {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

} // namespace

void cuda_memory::make_pool() {
  cuda::pool_properties properties;
  properties.location = {cuda::location_type::device, context_.device()};
  if (!limits_.memory_pools)
    return;
  context_.check(cuda::api().cuStreamCreate(&stream_, cuda::STREAM_NON_BLOCKING), "making a stream");
  context_.check(cuda::api().cuMemPoolCreate(&pool_, &properties), "making a memory pool");
  std::uint64_t keep_all = ~std::uint64_t{0};
  context_.check(cuda::api().cuMemPoolSetAttribute(pool_, cuda::POOL_RELEASE_THRESHOLD, &keep_all),
                 "setting up the memory pool");
  open_to_peers();
}

void cuda_memory::open_to_peers() {
  int devices = 0;
  context_.check(cuda::api().cuDeviceGetCount(&devices), "counting devices");
  for (cuda::device_ordinal peer = 0; peer < devices; ++peer) {
    if (peer == context_.device() || !cuda_peers::can_access(peer, context_.device(), false))
      continue;
    const cuda::access_descriptor access{{cuda::location_type::device, peer}, cuda::ACCESS_READ_WRITE};
    context_.check(cuda::api().cuMemPoolSetAccess(pool_, &access, 1),
                   "giving a peer access to the memory pool");
  }
}

cuda::pool_handle cuda_memory::pool() {
  std::call_once(pool_made_, [this] {
    const cuda_current_context current(context_);
    make_pool();
  });
  return pool_;
}

cuda::result cuda_memory::allocate_device(cuda::device_pointer& block, std::size_t bytes) {
  const cuda::driver_functions& api = cuda::api();
  const cuda::pool_handle pool = this->pool();
  if (pool == nullptr)
    return api.cuMemAlloc(&block, bytes);
  cuda::result result = api.cuMemAllocFromPoolAsync(&block, bytes, pool, stream_);
  if (result == cuda::result::out_of_memory) {
    // What the pool keeps may be in pieces, or be missing where the driver itself allocates.
    api.cuStreamSynchronize(stream_);
    api.cuMemPoolTrimTo(pool, 0);
    result = api.cuMemAllocFromPoolAsync(&block, bytes, pool, stream_);
  }
  // Other streams may use the block at once.
  return result == cuda::result::success ? api.cuStreamSynchronize(stream_) : result;
}

cuda::result cuda_memory::allocate_native(usm_kind kind, cuda::device_pointer& block, std::size_t bytes) {
  const cuda::driver_functions& api = cuda::api();
  switch (kind) {
  case usm_kind::host: {
    void* pointer = nullptr;
    const cuda::result result =
        api.cuMemHostAlloc(&pointer, bytes, cuda::HOST_ALLOC_PORTABLE | cuda::HOST_ALLOC_DEVICE_MAP);
    block = as_address(pointer);
    return result;
  }
  case usm_kind::shared:
    return api.cuMemAllocManaged(&block, bytes, cuda::MANAGED_ATTACH_GLOBAL);
  case usm_kind::device:
  case usm_kind::unknown:
    break;
  }
  return allocate_device(block, bytes);
}

void* cuda_memory::allocate(usm_kind kind, std::size_t bytes, std::size_t alignment) {
  const cuda_current_context current(context_);
  if (kind == usm_kind::host)
    if (void* const block = small_host_blocks_.allocate(bytes, alignment))
      return block;
  return allocate_block(kind, bytes, alignment);
}

void* cuda_memory::allocate_block(usm_kind kind, std::size_t bytes, std::size_t alignment) {
  const std::size_t wanted = std::max<std::size_t>(bytes, 1);
  const std::size_t slack = alignment > DRIVER_ALIGNMENT ? alignment : 0;
  cuda::device_pointer block = 0;
  const bool can_be = wanted <= LARGEST_BYTES && slack <= LARGEST_BYTES - wanted;
  const cuda::result result =
      can_be ? allocate_native(kind, block, wanted + slack) : cuda::result::out_of_memory;
  if (result == cuda::result::out_of_memory || result == cuda::result::invalid_value)
    throw sycl::exception(
        sycl::make_error_code(sycl::errc::memory_allocation),
        fmt::format("cannot allocate {} bytes of {} memory on device '{}': {}; free what is not needed or "
                    "process the data in parts",
                    bytes, name_of(kind), context_.device_name(), cuda::text_of(result)));
  context_.check(result, "allocating memory");
  if (slack == 0)
    return as_pointer(block);
  void* const aligned = as_pointer((block + alignment - 1) / alignment * alignment);
  const std::lock_guard lock(mutex_);
  aligned_[aligned] = block;
  return aligned;
}

void cuda_memory::free_native(usm_kind kind, cuda::device_pointer block) noexcept {
  const cuda::driver_functions& api = cuda::api();
  if (kind == usm_kind::host)
    api.cuMemFreeHost(as_pointer(block));
  else if (kind == usm_kind::device && pool_ != nullptr)
    api.cuMemFreeAsync(block, stream_); // whatever used it is complete
  else
    api.cuMemFree(block);
}

void cuda_memory::free(usm_kind kind, void* pointer) noexcept {
  if (kind == usm_kind::host && small_host_blocks_.free(pointer))
    return;
  cuda::device_pointer block = as_address(pointer);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = aligned_.find(pointer); found != aligned_.end()) {
      block = found->second;
      aligned_.erase(found);
    }
  }
  if (context_.is_lost() || cuda::is_forked_child())
    return; // the driver has taken everything back, or the memory is the parent's
  try {
    const cuda_current_context current(context_);
    free_native(kind, block);
  } catch (...) {
    // Lost a moment ago.
  }
}

std::uint64_t cuda_memory::free_bytes() {
  const cuda_current_context current(context_);
  std::size_t free = 0, total = 0;
  context_.check(cuda::api().cuMemGetInfo(&free, &total), "asking for free memory");
  std::uint64_t reserved = 0, used = 0;
  if (const cuda::pool_handle pool = this->pool()) {
    // What the pool keeps is free for the program, though not as the driver sees it.
    cuda::api().cuMemPoolGetAttribute(pool, cuda::POOL_RESERVED, &reserved);
    cuda::api().cuMemPoolGetAttribute(pool, cuda::POOL_USED, &used);
  }
  return free + (reserved > used ? reserved - used : 0);
}

} // namespace falx
