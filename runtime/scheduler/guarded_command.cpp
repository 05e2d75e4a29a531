// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guarded_command.hpp"

#include "command_group.hpp"
#include "command_work.hpp"
#include "devices/device_state.hpp"
#include "host_task.hpp"
#include "memory/buffer_state.hpp"
#include "memory/buffer_transfers.hpp"
#include "queue_state.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace falx {

namespace {

/// What the command does with a buffer that has a mutex.
struct guarded_use {
  handle<buffer_state> buffer;
  byte_box box;
  bool is_on_host;
  bool keeps_old;
  bool writes;
};

/// std::lock for as many as there are: whoever else locks some of them, nobody waits for ever.
std::vector<std::unique_lock<std::mutex>> lock_all(const std::vector<std::mutex*>& mutexes) {
  const blocked_host_task blocked; // its thread is no use to others meanwhile
  std::vector<std::unique_lock<std::mutex>> locks;
  locks.reserve(mutexes.size());
  for (std::mutex* each : mutexes)
    locks.emplace_back(*each, std::defer_lock);
  for (std::size_t first = 0;;) {
    locks[first].lock();
    std::size_t next = first;
    do {
      next = (next + 1) % locks.size();
    } while (next != first && locks[next].try_lock());
    if (next == first)
      return locks;
    for (std::unique_lock<std::mutex>& each : locks)
      if (each.owns_lock())
        each.unlock();
    first = next; // which somebody holds
  }
}

/// Between the host's memory and the device's, where that has its own.
void copy(const guarded_use& use, device_state& device, bool to_device) {
  if (use.is_on_host || use.box.is_empty())
    return;
  void* host = nullptr;
  void* there = nullptr;
  {
    const std::lock_guard lock(use.buffer->mutex());
    const std::size_t memory = use.buffer->memory_of(device, /*on_host=*/false);
    if (memory == 0)
      return;
    host = use.buffer->address(0);
    there = use.buffer->address(memory);
  }
  const buffer_shape& shape = use.buffer->shape();
  copy_and_wait(device, {shape.memory(to_device ? host : there, use.box),
                         shape.memory(to_device ? there : host, use.box)});
}

void run(const handle<command>& inner, device_state& device, const std::vector<guarded_use>& uses) {
  std::vector<std::mutex*> mutexes;
  mutexes.reserve(uses.size());
  for (const guarded_use& use : uses)
    mutexes.push_back(use.buffer->user_mutex());
  std::ranges::sort(mutexes);
  mutexes.erase(std::ranges::unique(mutexes).begin(), mutexes.end());
  const std::vector<std::unique_lock<std::mutex>> locks = lock_all(mutexes);
  for (const guarded_use& use : uses)
    if (use.keeps_old)
      copy(use, device, /*to_device=*/true);
  inner->queue()->submit(inner, {});
  inner->wait();
  for (const guarded_use& use : uses)
    if (use.writes)
      copy(use, device, /*to_device=*/false);
  if (inner->error() != nullptr)
    std::rethrow_exception(inner->error());
}

} // namespace

handle<command> guard(handle<command> inner, queue_state& place, std::span<requirement> requirements) {
  std::vector<guarded_use> uses;
  for (requirement& each : requirements) {
    if (each.buffer->user_mutex() == nullptr)
      continue;
    const buffer_region region = each.buffer->shape().locate(each.request);
    uses.push_back({each.buffer, region.box, each.request.on_host, !each.request.discards || !region.is_exact,
                    each.request.writes});
    each.request.on_host = true;
  }
  handle<command> whole = command::make_for(place);
  whole->work()->buffers = inner->work()->buffers;
  inner->move_to(runtime_queue_of(place.device()));
  inner->make_internal(nullptr);
  auto device = handle<device_state>::share(&place.device());
  whole->work()->what = host_operation{[inner = std::move(inner), device = std::move(device),
                                        uses = std::move(uses)] { run(inner, *device, uses); }};
  return whole;
}

} // namespace falx
