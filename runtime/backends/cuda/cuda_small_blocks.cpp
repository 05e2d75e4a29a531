// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_small_blocks.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace falx {

void* cuda_small_blocks::allocate(std::size_t bytes, std::size_t alignment) {
  // Blocks are aligned to their size, as slabs are to the largest one.
  const std::size_t wanted = std::max({bytes, alignment, SMALLEST});
  if (wanted > LARGEST)
    return nullptr;
  const std::size_t size = std::bit_ceil(wanted);
  const auto index = static_cast<std::size_t>(std::countr_zero(size / SMALLEST));
  const std::lock_guard lock(mutex_);
  std::vector<void*>& unused = unused_[index];
  if (unused.empty()) {
    auto* const slab = static_cast<unsigned char*>(allocate_slab_(SLAB));
    unused.reserve(SLAB / size);
    for (std::size_t offset = SLAB; offset != 0; offset -= size)
      unused.push_back(slab + offset - size);
  }
  void* const block = unused.back();
  [[maybe_unused]] const bool is_unused = used_.emplace(block, index).second;
  assert(is_unused && "a block is given to two");
  unused.pop_back();
  return block;
}

bool cuda_small_blocks::free(void* block) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = used_.find(block);
  if (found == used_.end())
    return false;
  unused_[found->second].push_back(block);
  used_.erase(found);
  return true;
}

} // namespace falx
