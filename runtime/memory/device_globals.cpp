// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_globals.hpp"

#include "backends/backend.hpp"
#include "buffer_transfers.hpp"
#include "devices/device_state.hpp"
#include "scheduler/queue_state.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

namespace falx {
namespace {

/// The memories of all contexts. Never destroyed: images are unregistered by static destructors.
struct all_memories {
  std::mutex mutex;
  std::vector<device_global_memory*> memories;
};

all_memories& the_memories() {
  static all_memories* const all = std::make_unique<all_memories>().release();
  return *all;
}

void free(device_state& device, void* memory) noexcept {
  device.backend().free(usm_kind::device, memory);
}

} // namespace

device_global_memory::device_global_memory() {
  set_current({});
  all_memories& all = the_memories();
  const std::lock_guard lock(all.mutex);
  all.memories.push_back(this);
}

device_global_memory::~device_global_memory() {
  {
    all_memories& all = the_memories();
    const std::lock_guard lock(all.mutex);
    std::erase(all.memories, this);
  }
  for (const allocation& each : *current_.load(std::memory_order_relaxed))
    free(*each.device, each.memory);
}

void* device_global_memory::find_in(const snapshot& all, const device_state& device,
                                    const void* variable) noexcept {
  auto found = std::ranges::lower_bound(all, variable, std::less<const void*>(), &allocation::variable);
  for (; found != all.end() && found->variable == variable; ++found)
    if (found->device == &device)
      return found->memory;
  return nullptr;
}

void device_global_memory::set_current(snapshot next) {
  assert(std::ranges::is_sorted(next, std::less<const void*>(), &allocation::variable) &&
         "lookups need order");
  snapshots_.push_back(std::make_unique<const snapshot>(std::move(next)));
  current_.store(snapshots_.back().get(), std::memory_order_release);
}

void* device_global_memory::make(device_state& device, const device_global_variable& variable) {
  // Without the lock, as completing commands to find memory may run the user's code.
  void* const memory = allocate_patiently(
      [&] { return device.backend().allocate(usm_kind::device, variable.size, variable.alignment); });
  try {
    initialize_memory(device, memory, variable.address, variable.size);
    const std::lock_guard lock(mutex_);
    const snapshot& current = *snapshots_.back();
    if (void* const made_meanwhile = find_in(current, device, variable.address)) {
      free(device, memory);
      return made_meanwhile;
    }
    snapshot next = current;
    next.insert(
        std::ranges::lower_bound(next, variable.address, std::less<const void*>(), &allocation::variable),
        {variable.address, &device, memory});
    set_current(std::move(next));
  } catch (...) {
    free(device, memory);
    throw;
  }
  return memory;
}

void device_global_memory::erase(const void* variable) noexcept {
  const std::lock_guard lock(mutex_);
  snapshot next = *snapshots_.back();
  for (const allocation& each : next)
    if (each.variable == variable)
      free(*each.device, each.memory);
  if (std::erase_if(next, [&](const allocation& each) { return each.variable == variable; }) != 0)
    set_current(std::move(next));
}

void erase_device_global(const void* variable) noexcept {
  all_memories& all = the_memories();
  const std::lock_guard lock(all.mutex);
  for (device_global_memory* memory : all.memories)
    memory->erase(variable);
}

} // namespace falx
