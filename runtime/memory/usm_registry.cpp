// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "usm_registry.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <mutex>
#include <utility>

namespace falx {
namespace {

std::uintptr_t address(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

} // namespace

usm_registry& usm_registry::instance() {
  // Never destroyed: static objects of the program may free memory in their destructors.
  static usm_registry& registry = *std::make_unique<usm_registry>().release();
  return registry;
}

void usm_registry::add(usm_allocation allocation) {
  assert(allocation.begin != nullptr && allocation.context && allocation.device &&
         "a block is some device's");
  const std::unique_lock lock(mutex_);
  blocks_.insert_or_assign(address(allocation.begin), std::move(allocation));
}

usm_registry::block_map::const_iterator usm_registry::position(const void* pointer) const {
  const auto after = blocks_.upper_bound(address(pointer));
  if (after == blocks_.begin())
    return blocks_.end();
  const auto candidate = std::prev(after);
  // An empty block holds nothing, but its own address is still its own.
  const std::size_t extent = std::max<std::size_t>(candidate->second.bytes, 1);
  return address(pointer) - candidate->first >= extent ? blocks_.end() : candidate;
}

std::optional<usm_allocation> usm_registry::find(const void* pointer) const {
  const std::shared_lock lock(mutex_);
  const auto found = position(pointer);
  return found != blocks_.end() ? std::optional(found->second) : std::nullopt;
}

usm_registry::meaning usm_registry::meaning_of(const void* pointer) const {
  const std::uintptr_t at = address(pointer);
  const auto found = position(pointer);
  if (found == blocks_.end())
    return {.range = {at, at}};
  const auto end_of = [](block_map::const_iterator block) { return block->first + block->second.bytes; };
  if (at == found->first) {
    const bool is_end = found != blocks_.begin() && end_of(std::prev(found)) == at;
    return {{is_end ? std::prev(found)->first : at, at}, {at, at}};
  }
  // The first block of which a part is within reach, and the first one that is beyond it.
  auto low = blocks_.upper_bound(at - MOST_SHIFT);
  if (low != blocks_.begin() && end_of(std::prev(low)) > at - MOST_SHIFT)
    --low;
  const auto beyond = blocks_.upper_bound(at + MOST_SHIFT), high = std::prev(beyond);
  meaning result{{low->first, high->first}, {found->first + 1, end_of(found) - 1}};
  std::uintptr_t &first = result.range.first, &last = result.range.last;
  if (low != blocks_.begin())
    first = std::max(first, end_of(std::prev(low)) + MOST_SHIFT);
  if (low != found)
    last = std::min(last, end_of(low) + MOST_SHIFT - 1);
  if (high != found)
    first = std::max(first, high->first - MOST_SHIFT);
  if (beyond != blocks_.end())
    last = std::min(last, beyond->first - MOST_SHIFT - 1);
  return result;
}

usm_registry::sharing usm_registry::sharing_of(std::span<const void* const> pointers,
                                               std::span<address_range> ranges) const {
  assert(pointers.size() <= MOST_POINTERS && ranges.size() == pointers.size() && "one range for each");
  const std::shared_lock lock(mutex_);
  std::array<address_range, MOST_POINTERS> meant;
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    const meaning found = meaning_of(pointers[i]);
    meant[i] = found.blocks;
    ranges[i] = found.range;
  }
  sharing result;
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    result.known |= std::uint64_t{meant[i].first <= meant[i].last} << i;
    for (std::size_t other = 0; other < i; ++other)
      if (meant[i].first <= meant[other].last && meant[other].first <= meant[i].last)
        result.shared |= std::uint64_t{1} << i | std::uint64_t{1} << other;
  }
  return result;
}

std::optional<usm_registry::block> usm_registry::first_result_in(const void* result, usm_kind kind,
                                                                 std::size_t most_bytes) {
  const auto is_wanted = [&](block_map::const_iterator place) {
    return place != blocks_.end() && place->second.kind == kind && place->second.bytes <= most_bytes &&
           !place->second.holds_results;
  };
  {
    const std::shared_lock lock(mutex_);
    if (!is_wanted(position(result)))
      return std::nullopt;
  }
  const std::unique_lock lock(mutex_);
  const auto found = position(result);
  if (!is_wanted(found))
    return std::nullopt;
  usm_allocation& allocation = blocks_.find(found->first)->second;
  allocation.holds_results = true;
  return block{allocation.begin, allocation.bytes};
}

std::optional<usm_allocation> usm_registry::remove(const void* pointer, const context_state& context) {
  return remove(pointer, context, false);
}
std::optional<usm_allocation> usm_registry::remove_pooled(const void* pointer, const context_state& context) {
  return remove(pointer, context, true);
}

std::optional<usm_allocation> usm_registry::remove(const void* pointer, const context_state& context,
                                                   bool is_pooled) {
  const std::unique_lock lock(mutex_);
  const auto found = blocks_.find(address(pointer));
  if (found == blocks_.end() || found->second.context.get() != &context ||
      (found->second.pool.get() != nullptr) != is_pooled)
    return std::nullopt;
  usm_allocation removed = std::move(found->second);
  blocks_.erase(found);
  removals_.fetch_add(1, std::memory_order_release);
  return removed;
}

void free_usm(void* pointer) noexcept {
  const std::optional<usm_allocation> found = usm_registry::instance().find(pointer);
  if (found && found->begin == pointer && usm_registry::instance().remove(pointer, *found->context))
    found->device->backend().free(found->kind, pointer);
}

} // namespace falx
