// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pooled_memory.hpp"

#include "buffer_transfers.hpp"
#include "falx/sizes.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <fmt/format.h>
#include <memory>

namespace falx {
namespace {

/// Pools outlive every command, so nothing ever destroys them.
struct all_pools {
  std::mutex mutex;
  std::vector<std::unique_ptr<pooled_memory>> pools;
};

all_pools& the_pools() {
  static all_pools* const all = std::make_unique<all_pools>().release();
  return *all;
}

} // namespace

pooled_memory& pooled_memory::of(device_state& device, usm_kind kind) {
  all_pools& all = the_pools();
  const std::lock_guard lock(all.mutex);
  for (const std::unique_ptr<pooled_memory>& pool : all.pools)
    if (&pool->device() == &device && pool->kind() == kind)
      return *pool;
  return *all.pools.emplace_back(std::make_unique<pooled_memory>(device, kind));
}

pooled_memory::block pooled_memory::take(std::size_t bytes) {
  if (bytes > LARGEST_BYTES)
    throw sycl::exception(
        sycl::make_error_code(sycl::errc::memory_allocation),
        fmt::format("a command needs {} bytes of memory, which is more than can be addressed", bytes));
  const unsigned size_class = std::max<unsigned>(SMALLEST_CLASS, std::bit_width(bytes - (bytes != 0)));
  {
    const std::lock_guard lock(mutex_);
    std::vector<void*>& available = free_[size_class];
    if (!available.empty()) {
      void* const memory = available.back();
      available.pop_back();
      return {memory, this, size_class};
    }
  }
  return make(size_class);
}

pooled_memory::block pooled_memory::make(unsigned size_class) {
  const std::size_t size = std::size_t{1} << size_class;
  const std::size_t count = std::max<std::size_t>(1, BYTES_AT_A_TIME / size);
  backend_device& backend = device_.backend();
  auto* const memory = static_cast<unsigned char*>(
      allocate_patiently([&] { return backend.allocate(kind_, size * count, 0); }));
  try {
    if (kind_ == usm_kind::device)
      fill_with_zeros(device_, memory, size * count);
    const std::lock_guard lock(mutex_);
    free_[size_class].reserve(existing_[size_class] + count);
    existing_[size_class] += count;
    assert(free_[size_class].capacity() >= existing_[size_class] && "giving back may fail");
    for (std::size_t i = count; i-- > 1;)
      free_[size_class].push_back(memory + i * size);
  } catch (...) {
    backend.free(kind_, memory);
    throw;
  }
  return {memory, this, size_class};
}

void pooled_memory::give_back(const block& used) noexcept {
  assert(used.pool != nullptr && used.memory != nullptr && "the block was not taken");
  const std::lock_guard lock(used.pool->mutex_);
  assert(used.pool->free_[used.size_class].size() < used.pool->existing_[used.size_class] &&
         "a block is given back twice, or to another pool");
  assert((used.pool->free_[used.size_class].empty() ||
          used.pool->free_[used.size_class].back() != used.memory) &&
         "a block is given back twice");
  used.pool->free_[used.size_class].push_back(used.memory);
}

} // namespace falx
