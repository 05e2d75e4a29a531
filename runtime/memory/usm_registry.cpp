// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "usm_registry.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

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

std::array<usm_registry::block_map::const_iterator, 2> usm_registry::meant_by(const void* pointer) const {
  /// Bytes before a block where a pointer is that is counted from 1.
  constexpr std::uintptr_t BEFORE = 64;
  const auto none = blocks_.end(), found = position(pointer);
  if (found == none)
    return {none, none};
  const auto end_of = [](block_map::const_iterator block) { return block->first + block->second.bytes; };
  if (found != blocks_.begin() && address(pointer) == found->first)
    if (const auto before = std::prev(found); end_of(before) == found->first)
      return {before, found}; // its end?
  if (const auto next = std::next(found);
      next != none && end_of(found) == next->first && next->first - address(pointer) <= BEFORE)
    return {found, next};
  return {found, none};
}

usm_registry::sharing usm_registry::sharing_of(std::span<const void* const> pointers) const {
  assert(pointers.size() <= 64 && "as many as a number has bits");
  const std::shared_lock lock(mutex_);
  std::vector<std::array<block_map::const_iterator, 2>> meant;
  meant.reserve(pointers.size());
  for (const void* pointer : pointers)
    meant.push_back(meant_by(pointer));
  const auto none = blocks_.end();
  sharing result;
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    const auto shares_with = [&](const auto& other) {
      return std::ranges::any_of(meant[i], [&](block_map::const_iterator block) {
        return block != none && std::ranges::find(other, block) != other.end();
      });
    };
    const bool is_shared = std::ranges::any_of(
        meant, [&](const auto& other) { return &other != &meant[i] && shares_with(other); });
    result.known |= std::uint64_t{meant[i][0] != none} << i;
    result.shared |= std::uint64_t{is_shared} << i;
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
