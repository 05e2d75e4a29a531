// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "disjoint_pointers.hpp"

#include "adaptivity.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <functional>

namespace falx {
namespace {

std::uint64_t lowest_bits(std::size_t count) noexcept {
  return (std::uint64_t{1} << count) - 1;
}

bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) noexcept {
  const std::less<> before;
  return !a.empty() && !b.empty() && before(a.data(), b.data() + b.size()) &&
         before(b.data(), a.data() + a.size());
}

/// Where one of them is not known, it may be what the other one's buffer was made on.
bool are_apart(const accessed_memory& one, const accessed_memory& other) noexcept {
  const bool are_known = one.data != nullptr && other.data != nullptr;
  return one.buffer != other.buffer && (are_known || !(one.is_given || other.is_given)) &&
         !overlap(one.memory, other.memory);
}

/// Bit i: accessed[i] is of a buffer, and no other one leads to the same memory.
std::uint64_t by_buffers(std::span<const accessed_memory> accessed) noexcept {
  std::uint64_t disjoint = 0;
  for (std::size_t i = 0; i < accessed.size(); ++i) {
    bool is_alone = accessed[i].buffer != nullptr;
    for (std::size_t other = 0; other < accessed.size() && is_alone; ++other)
      is_alone = other == i || are_apart(accessed[i], accessed[other]);
    disjoint |= std::uint64_t{is_alone} << i;
  }
  return disjoint;
}

} // namespace

disjoint_pointers::disjoint_pointers(const image::kernel_metadata& kernel)
    : offsets_(std::span(kernel.captured_pointers).first(std::min(kernel.captured_pointers.size(), MOST))),
      accessors_(std::min(kernel.accessor_offsets.size(), MOST)), is_asked_(expected(kernel) != 0) {
  if (is_asked_ && !offsets_.empty())
    memory_ = std::make_unique<memory>();
}

std::uint64_t disjoint_pointers::expected(const image::kernel_metadata& kernel) {
  const std::size_t pointers = std::min(kernel.captured_pointers.size(), MOST);
  const std::size_t accessors = std::min(kernel.accessor_offsets.size(), MOST);
  if (pointers + accessors < 2 || adaptivity_level() == adaptivity::off)
    return 0;
  return lowest_bits(pointers) | lowest_bits(accessors) << MOST;
}

bool disjoint_pointers::find(const answer& some, const pointer_list& pointers, std::uint64_t removals,
                             std::uint64_t& disjoint) const noexcept {
  const std::uint64_t version = some.version.load(std::memory_order_acquire);
  if (version == 0 || version % 2 != 0 || some.removals.load(std::memory_order_relaxed) != removals)
    return false;
  for (std::size_t i = 0; i < offsets_.size() + accessors_; ++i)
    if (const usm_registry::address_range range{some.ranges[i][0].load(std::memory_order_relaxed),
                                                some.ranges[i][1].load(std::memory_order_relaxed)};
        !range.contains(pointers[i]))
      return false;
  disjoint = some.disjoint.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  return some.version.load(std::memory_order_relaxed) == version;
}

void disjoint_pointers::store(const range_list& ranges, std::uint64_t removals,
                              std::uint64_t disjoint) noexcept {
  std::array<answer, 4>& answers = memory_->answers;
  answer& oldest = answers[memory_->next.fetch_add(1, std::memory_order_relaxed) % answers.size()];
  std::uint64_t version = oldest.version.load(std::memory_order_relaxed);
  if (version % 2 != 0 ||
      !oldest.version.compare_exchange_strong(version, version + 1, std::memory_order_relaxed))
    return; // another thread writes there
  std::atomic_thread_fence(std::memory_order_release);
  oldest.removals.store(removals, std::memory_order_relaxed);
  oldest.disjoint.store(disjoint, std::memory_order_relaxed);
  for (std::size_t i = 0; i < offsets_.size() + accessors_; ++i) {
    oldest.ranges[i][0].store(ranges[i].first, std::memory_order_relaxed);
    oldest.ranges[i][1].store(ranges[i].last, std::memory_order_relaxed);
  }
  oldest.version.store(version + 2, std::memory_order_release);
}

std::uint64_t disjoint_pointers::by_blocks(const pointer_list& pointers) {
  const usm_registry& blocks = usm_registry::instance();
  const std::uint64_t removals = blocks.removals();
  std::uint64_t disjoint = 0;
  for (const answer& some : memory_->answers)
    if (find(some, pointers, removals, disjoint))
      return disjoint;
  const std::size_t count = offsets_.size() + accessors_;
  range_list ranges;
  const usm_registry::sharing found =
      blocks.sharing_of(std::span(pointers).first(count), std::span(ranges).first(count));
  // Null leads nowhere: an access through it, or through what is added to it, is undefined.
  std::uint64_t nulls = 0;
  for (std::size_t i = 0; i < count; ++i)
    nulls |= std::uint64_t{pointers[i] == nullptr} << i;
  // A pointer to memory that is no block may lead anywhere. An accessor leads to its buffer's memory.
  const std::uint64_t of_pointers = (nulls | (found.known & ~found.shared)) & lowest_bits(offsets_.size());
  const std::uint64_t of_accessors = (~(nulls | found.shared) >> offsets_.size()) & lowest_bits(accessors_);
  disjoint = of_pointers | of_accessors << MOST;
  store(ranges, removals, disjoint);
  return disjoint;
}

std::uint64_t disjoint_pointers::limited(std::uint64_t disjoint) noexcept {
  if (std::popcount(disjoint) < 2)
    return 0;
  for (std::atomic<std::uint64_t>& given : given_) {
    std::uint64_t before = given.load(std::memory_order_relaxed);
    if (before == 0 && given.compare_exchange_strong(before, disjoint, std::memory_order_relaxed))
      return disjoint;
    if (before == disjoint)
      return disjoint;
  }
  return 0;
}

std::uint64_t disjoint_pointers::look_up(const void* function, std::span<const accessed_memory> accessed) {
  assert(accessed.size() == accessors_ && "one for each accessor");
  std::uint64_t disjoint = by_buffers(accessed) << MOST;
  if (memory_ != nullptr) {
    pointer_list pointers{};
    for (std::size_t i = 0; i < offsets_.size(); ++i)
      std::memcpy(&pointers[i], static_cast<const unsigned char*>(function) + offsets_[i], sizeof(void*));
    for (std::size_t i = 0; i < accessors_; ++i)
      pointers[offsets_.size() + i] = accessed[i].data;
    disjoint = by_blocks(pointers) & (disjoint | POINTER_BITS);
  }
  return limited(disjoint);
}

} // namespace falx
