// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_pool_state.hpp"

#include "buffer_transfers.hpp"
#include "falx/sizes.hpp"
#include "scheduler/command_group.hpp"
#include "scheduler/command_work.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/exception.hpp"
#include "usm_registry.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace falx {
namespace {

/// Blocks are as large as some of these.
constexpr std::size_t CHUNK = 512;

std::size_t rounded_up(std::size_t bytes) noexcept {
  return bytes > LARGEST_BYTES - CHUNK ? LARGEST_BYTES
                                       : (std::max<std::size_t>(bytes, 1) + CHUNK - 1) / CHUNK * CHUNK;
}

memory_pool_limits in_chunks(memory_pool_limits limits) noexcept {
  limits.maximum = rounded_up(limits.maximum);
  limits.threshold = limits.threshold / CHUNK * CHUNK;
  return limits;
}

} // namespace

void retain(memory_pool_state* pool) noexcept {
  pool->retain_reference();
}
void release(memory_pool_state* pool) noexcept {
  pool->release_reference();
}

memory_pool_state::memory_pool_state(handle<device_state> device, const memory_pool_limits& limits)
    : device_(std::move(device)), limits_(in_chunks(limits)), threshold_(limits_.threshold) {}

memory_pool_state::~memory_pool_state() {
  assert(blocks_.size() == unused_.size() && "an allocation keeps its pool");
  for (const auto& [size, block] : unused_)
    device_->backend().free(usm_kind::device, block);
}

std::size_t memory_pool_state::threshold() const noexcept {
  const std::lock_guard lock(mutex_);
  return threshold_;
}
std::size_t memory_pool_state::reserved() const noexcept {
  const std::lock_guard lock(mutex_);
  return reserved_;
}
std::size_t memory_pool_state::used() const noexcept {
  const std::lock_guard lock(mutex_);
  return used_;
}
void memory_pool_state::increase_threshold_to(std::size_t threshold) noexcept {
  const std::lock_guard lock(mutex_);
  threshold_ = std::max(threshold_, threshold / CHUNK * CHUNK);
}

void* memory_pool_state::allocate(std::size_t bytes, const handle<context_state>& context) {
  const std::size_t size = rounded_up(bytes);
  void* block = nullptr;
  do
    block = take(size);
  while (block == nullptr && wait_for_free());
  if (block == nullptr)
    return nullptr;
  try {
    usm_registry::instance().add(
        {block, bytes, usm_kind::device, context, device_, false, handle<memory_pool_state>::share(this)});
  } catch (...) {
    give_back(block);
    throw;
  }
  return block;
}

void* memory_pool_state::take(std::size_t size) {
  {
    const std::lock_guard lock(mutex_);
    // A block that is much too large may be needed as a whole.
    const auto found = unused_.lower_bound(size);
    if (found != unused_.end() && found->first / 2 <= size) {
      void* const block = found->second;
      used_ += found->first;
      unused_.erase(found);
      return block;
    }
  }
  if (size > limits_.maximum)
    return nullptr;
  shrink(limits_.maximum - size);
  {
    const std::lock_guard lock(mutex_);
    if (reserved_ > limits_.maximum - size)
      return nullptr;
    reserved_ += size;
    used_ += size;
  }
  void* block = nullptr;
  backend_device& backend = device_->backend();
  try {
    block = allocate_patiently([&] { return backend.allocate(usm_kind::device, size, 0); });
    if (limits_.is_zero)
      fill_with_zeros(*device_, block, size);
    const std::lock_guard lock(mutex_);
    blocks_.emplace(block, size);
  } catch (...) {
    if (block != nullptr)
      backend.free(usm_kind::device, block);
    const std::lock_guard lock(mutex_);
    reserved_ -= size;
    used_ -= size;
    throw;
  }
  return block;
}

void memory_pool_state::shrink(std::size_t most) noexcept {
  for (;;) {
    void* block = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (reserved_ <= most || unused_.empty())
        return;
      const auto largest = std::prev(unused_.end());
      block = largest->second;
      reserved_ -= largest->first;
      blocks_.erase(block);
      unused_.erase(largest);
    }
    device_->backend().free(usm_kind::device, block);
  }
}

void memory_pool_state::give_back(void* pointer) noexcept {
  std::size_t threshold = 0;
  {
    const std::lock_guard lock(mutex_);
    const std::size_t size = blocks_.at(pointer);
    used_ -= size;
    unused_.emplace(size, pointer);
    threshold = threshold_;
  }
  shrink(threshold);
}

void memory_pool_state::finish_free(void* pointer) noexcept {
  give_back(pointer);
  const std::lock_guard lock(mutex_);
  --awaited_;
  ++returned_;
  has_returned_.notify_all();
}

bool memory_pool_state::wait_for_free() {
  std::unique_lock lock(mutex_);
  if (awaited_ == 0)
    return false;
  const std::size_t before = returned_;
  const std::vector<handle<command>> frees = frees_;
  lock.unlock();
  for (const handle<command>& each : frees)
    each->wait(); // commands of GPUs may complete for those alone who wait
  lock.lock();
  has_returned_.wait(lock, [&] { return returned_ != before; });
  return true;
}

void memory_pool_state::free_after(command_group& group, void* pointer) {
  group.set_empty("async_free");
  if (pointer == nullptr)
    return;
  std::optional<usm_allocation> allocation =
      usm_registry::instance().remove_pooled(pointer, group.queue().context());
  if (!allocation)
    throw sycl::exception(
        sycl::errc::invalid,
        fmt::format("async_free cannot free {}: it is not what async_malloc gave in the queue's "
                    "context, or it is freed already; memory of sycl::malloc_device is freed with "
                    "sycl::free",
                    pointer));
  struct free_of_block {
    handle<memory_pool_state> pool;
    void* block;
  };
  memory_pool_state& pool = *allocation->pool;
  auto owned = std::make_unique<free_of_block>(free_of_block{std::move(allocation->pool), pointer});
  group.self().work()->kept_alive.push_back({[](void* data) {
                                               const std::unique_ptr<free_of_block> freed(
                                                   static_cast<free_of_block*>(data));
                                               freed->pool->finish_free(freed->block);
                                             },
                                             owned.get()});
  static_cast<void>(owned.release());
  const std::lock_guard lock(pool.mutex_);
  ++pool.awaited_;
  std::erase_if(pool.frees_, [](const handle<command>& some) { return some->is_complete(); });
  pool.frees_.push_back(handle<command>::share(&group.self()));
}

} // namespace falx
