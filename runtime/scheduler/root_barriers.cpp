// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_group.hpp"
#include "devices/device_state.hpp"
#include "falx/launch_value.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

/// \file
/// Memory for the barriers of launches whose groups all meet. A barrier is as it was at first when its launch
/// is complete, so it serves the next one, and GPUs need not move it.

namespace falx {
namespace {

/// Barriers in shared USM that no launch has, by device. Lives as long as the process.
class barrier_pool {
public:
  static barrier_pool& instance() noexcept {
    alignas(barrier_pool) static unsigned char memory[sizeof(barrier_pool)];
    static barrier_pool& pool = *::new (memory) barrier_pool;
    return pool;
  }

  root_barrier* take(backend_device& device);
  void give_back(backend_device& device, root_barrier* barrier) {
    const std::lock_guard lock(mutex_);
    free_[&device].push_back(barrier);
  }

private:
  std::mutex mutex_;
  std::map<backend_device*, std::vector<root_barrier*>> free_;
};

/// On a CPU: each group has a thread.
void wait_for_groups(root_barrier* self, std::uint64_t groups) noexcept {
  const std::atomic_ref<std::uint32_t> arrived(self->arrived), current(self->generation);
  const std::uint32_t generation = current.load(std::memory_order_acquire);
  if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == groups) {
    arrived.store(0, std::memory_order_relaxed);
    current.fetch_add(1, std::memory_order_acq_rel);
    current.notify_all();
    return;
  }
  while (current.load(std::memory_order_acquire) == generation)
    current.wait(generation, std::memory_order_acquire);
}

root_barrier* barrier_pool::take(backend_device& device) {
  {
    const std::lock_guard lock(mutex_);
    std::vector<root_barrier*>& free = free_[&device];
    if (!free.empty()) {
      root_barrier* const barrier = free.back();
      free.pop_back();
      return barrier;
    }
  }
  void* const memory = device.allocate(usm_kind::shared, sizeof(root_barrier), 0);
  return ::new (memory) root_barrier{&wait_for_groups, 0, 0};
}

/// A barrier of a launch's.
struct taken_barrier {
  backend_device* device;
  root_barrier* barrier;
};

} // namespace

root_barrier* take_root_barrier(command_group& group) {
  backend_device& device = group.device().backend();
  auto taken = std::make_unique<taken_barrier>(taken_barrier{&device, nullptr});
  taken->barrier = barrier_pool::instance().take(device);
  group.set_meets_all_groups();
  root_barrier* const barrier = taken->barrier;
  keep_until_complete(group, taken.release(), [](void* data) {
    const std::unique_ptr<taken_barrier> back(static_cast<taken_barrier*>(data));
    barrier_pool::instance().give_back(*back->device, back->barrier);
  });
  return barrier;
}

} // namespace falx
