// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/context_state.hpp"
#include "devices/device_state.hpp"
#include "falx/handle.hpp"
#include "falx/memory.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <span>

namespace falx {

/// One live block of unified shared memory.
struct usm_allocation {
  void* begin = nullptr;
  std::size_t bytes = 0;
  usm_kind kind = usm_kind::unknown;
  handle<context_state> context;
  /// The device that allocated the block.
  handle<device_state> device;
  /// A reduction was seen to leave its result here.
  bool holds_results = false;
  /// Where the block comes from; null for what sycl::free frees.
  handle<memory_pool_state> pool = {};
};

/// All live blocks of the process by address. Thread-safe; lookups do not wait for each other.
class usm_registry {
public:
  static usm_registry& instance();

  void add(usm_allocation allocation);

  /// The block that \p pointer points into, if it does.
  std::optional<usm_allocation> find(const void* pointer) const;

  struct block {
    void* begin;
    std::size_t bytes;
  };
  /// The block of \p kind, of \p most_bytes at most, that \p result points into, for the first asker; nothing
  /// if there is none.
  std::optional<block> first_result_in(const void* result, usm_kind kind, std::size_t most_bytes);

  /// How many blocks have been removed: as long as it stays the same, pointers lead where they led.
  std::uint64_t removals() const noexcept { return removals_.load(std::memory_order_acquire); }
  /// Addresses, the last one included.
  struct address_range {
    std::uintptr_t first = 0, last = 0;
    bool contains(const void* pointer) const noexcept {
      return reinterpret_cast<std::uintptr_t>(pointer) - first <= last - first;
    }
  };
  /// How far from its block a pointer may be that is moved before it is used: into an array that is counted
  /// from 1 or has a border, or from behind the rows of a column. A row of a large matrix.
  static constexpr std::size_t MOST_SHIFT = std::size_t{64} << 10;
  /// Of pointers: bit i of known says that pointers[i] leads to a block, of shared that another one of the
  /// pointers may lead to the same one. One to the begin of a block leads to that, and to one that ends
  /// there; any other one may lead to the blocks of which a part is within MOST_SHIFT bytes. At most
  /// MOST_POINTERS pointers.
  struct sharing {
    std::uint64_t known = 0, shared = 0;
  };
  /// And in which ranges pointers have the same answer, as long as no block is removed.
  static constexpr std::size_t MOST_POINTERS = 32;
  sharing sharing_of(std::span<const void* const> pointers, std::span<address_range> ranges) const;

  /// Removes and returns the block that begins at \p pointer if it belongs to \p context and to no pool.
  std::optional<usm_allocation> remove(const void* pointer, const context_state& context);
  /// The same for a block of a pool.
  std::optional<usm_allocation> remove_pooled(const void* pointer, const context_state& context);

private:
  std::optional<usm_allocation> remove(const void* pointer, const context_state& context, bool is_pooled);
  using block_map = std::map<std::uintptr_t, usm_allocation>;
  /// With the lock held; end() if \p pointer points into no block.
  block_map::const_iterator position(const void* pointer) const;

  /// What a pointer may be meant to lead to.
  struct meaning {
    /// Where the blocks begin, the last one included. Empty (first > last) for a pointer to no block.
    address_range blocks{1, 0};
    /// Of all pointers to the same.
    address_range range;
  };
  /// With the lock held.
  meaning meaning_of(const void* pointer) const;

  mutable std::shared_mutex mutex_;
  block_map blocks_;
  std::atomic<std::uint64_t> removals_{0};
};

/// Frees the block that begins at \p pointer, if there is one.
void free_usm(void* pointer) noexcept;

} // namespace falx
