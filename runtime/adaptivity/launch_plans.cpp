// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_plans.hpp"

namespace falx {
namespace {

std::uint32_t hash_of(const backend_device& device, const launch_geometry& geometry,
                      std::uint64_t disjoint) noexcept {
  constexpr std::uint64_t FACTOR = 0x9E3779B97F4A7C15; // odd; its bits are those of the golden ratio
  std::array<std::uint64_t, sizeof(geometry) / sizeof(std::uint64_t)> words;
  static_assert(sizeof(words) == sizeof(geometry));
  std::memcpy(words.data(), &geometry, sizeof(geometry));
  std::uint64_t hash = (reinterpret_cast<std::uintptr_t>(&device) ^ disjoint) * FACTOR;
  for (const std::uint64_t word : words)
    hash = (hash ^ hash >> 32 ^ word) * FACTOR;
  return static_cast<std::uint32_t>(hash >> 32);
}

} // namespace

const launch_plans::plan* launch_plans::find_earlier(const backend_device& device,
                                                     const launch_geometry& geometry,
                                                     std::uint64_t disjoint) noexcept {
  const std::uint32_t hash = hash_of(device, geometry, disjoint);
  const std::size_t count = count_.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < count; ++i)
    if (hashes_[i].load(std::memory_order_relaxed) == hash && plans_[i]->is_for(device, geometry, disjoint)) {
      latest_.store(plans_[i].get(), std::memory_order_release);
      return plans_[i].get();
    }
  return nullptr;
}

void launch_plans::add(const plan& added) {
  const std::lock_guard lock(mutex_);
  const std::size_t count = count_.load(std::memory_order_relaxed);
  if (count == MOST || find_earlier(*added.device, added.geometry, added.disjoint) != nullptr)
    return;
  plans_[count] = std::make_unique<const plan>(added);
  hashes_[count].store(hash_of(*added.device, added.geometry, added.disjoint), std::memory_order_relaxed);
  latest_.store(plans_[count].get(), std::memory_order_release);
  count_.store(count + 1, std::memory_order_release);
}

} // namespace falx
