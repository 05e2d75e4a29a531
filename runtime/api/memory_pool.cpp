// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/memory_pool_state.hpp"

#include "devices/context_state.hpp"
#include "scheduler/command_group.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/exception.hpp"
#include "sycl/ext/oneapi/experimental/async_alloc/async_alloc.hpp"
#include "sycl/handler.hpp"
#include "sycl/interop_handle.hpp"

#include <fmt/format.h>
#include <utility>

namespace falx {

handle<memory_pool_state> context_state::default_memory_pool(device_state& device) const {
  const std::lock_guard lock(memory_pools_mutex_);
  for (const handle<memory_pool_state>& pool : memory_pools_)
    if (&pool->device() == &device)
      return pool;
  return memory_pools_.emplace_back(handle<memory_pool_state>::adopt(
      new memory_pool_state(handle<device_state>::share(&device), memory_pool_limits())));
}

} // namespace falx

namespace sycl {
namespace {

void check_kind(usm::alloc kind) {
  if (kind != usm::alloc::device)
    throw exception(errc::invalid,
                    "memory pools have memory of usm::alloc::device alone; allocate other kinds with "
                    "sycl::malloc");
}

void check_device(const context& of, const device& dev) {
  if (!detail::internals::state(of)->contains(*detail::internals::state(dev)))
    throw exception(
        errc::invalid,
        fmt::format("memory_pool: device '{}' does not belong to the context; construct the context with "
                    "that device",
                    detail::internals::state(dev)->description().name));
}

void check_pool(const ext::oneapi::experimental::memory_pool& pool, const falx::context_state& of,
                const falx::device_state& dev) {
  const context own = pool.get_context();
  if (detail::internals::state(own).get() != &of || &detail::internals::state(pool)->device() != &dev)
    throw exception(errc::invalid,
                    "async_malloc_from_pool: the pool is for another context or device than the "
                    "queue's; make it with the queue");
}

} // namespace

ext::oneapi::experimental::memory_pool context::ext_oneapi_get_default_memory_pool(const device& dev,
                                                                                   usm::alloc kind) const {
  check_kind(kind);
  check_device(*this, dev);
  return {*this, state_->default_memory_pool(*detail::internals::state(dev))};
}

namespace ext::oneapi::experimental {

memory_pool::memory_pool(const context& ctx, const device& dev, usm::alloc kind,
                         const falx::memory_pool_limits& limits)
    : context_(ctx) {
  check_kind(kind);
  check_device(ctx, dev);
  state_ = falx::handle<falx::memory_pool_state>::adopt(
      new falx::memory_pool_state(sycl::detail::internals::state(dev), limits));
}

device memory_pool::get_device() const {
  return sycl::detail::internals::make<device>(falx::handle<falx::device_state>::share(&state_->device()));
}
std::size_t memory_pool::get_threshold() const {
  return state_->threshold();
}
std::size_t memory_pool::get_reserved_size_current() const {
  return state_->reserved();
}
std::size_t memory_pool::get_used_size_current() const {
  return state_->used();
}
void memory_pool::increase_threshold_to(std::size_t newThreshold) {
  state_->increase_threshold_to(newThreshold);
}

namespace {

/// For the group's command, which fails where the pool has no room.
void* allocate_in(handler& cgh, falx::memory_pool_state& pool, std::size_t size, const char* operation) {
  falx::command_group& group = sycl::detail::command_group_of(cgh);
  void* const block = pool.allocate(size, falx::handle<falx::context_state>::share(&group.queue().context()));
  if (block != nullptr) {
    group.set_empty(operation);
    return block;
  }
  const std::string text = fmt::format(
      "{}: the memory pool has {} bytes allocated of at most {}, so there is no room for {}; free "
      "memory, or raise property maximum_size",
      operation, pool.used(), pool.maximum(), size);
  cgh.host_task([text] { throw exception(errc::memory_allocation, text); });
  return nullptr;
}

} // namespace

void* async_malloc(const queue& que, usm::alloc kind, std::size_t size) {
  return async_malloc_from_pool(que, size,
                                que.get_context().ext_oneapi_get_default_memory_pool(que.get_device(), kind));
}

void* async_malloc(handler& cgh, usm::alloc kind, std::size_t size) {
  check_kind(kind);
  const falx::queue_state& of = sycl::detail::command_group_of(cgh).queue();
  return allocate_in(cgh, *of.context().default_memory_pool(of.device()), size, "async_malloc");
}

void* async_malloc_from_pool(const queue& que, std::size_t size, const memory_pool& pool) {
  const context of = que.get_context();
  const device dev = que.get_device();
  check_pool(pool, *sycl::detail::internals::state(of), *sycl::detail::internals::state(dev));
  // There is nothing to be ordered but the failure.
  void* block = sycl::detail::internals::state(pool)->allocate(size, sycl::detail::internals::state(of));
  if (block == nullptr)
    queue(que).submit([&](handler& cgh) { block = async_malloc_from_pool(cgh, size, pool); });
  return block;
}

void* async_malloc_from_pool(handler& cgh, std::size_t size, const memory_pool& pool) {
  const falx::queue_state& of = sycl::detail::command_group_of(cgh).queue();
  check_pool(pool, of.context(), of.device());
  return allocate_in(cgh, *sycl::detail::internals::state(pool), size, "async_malloc_from_pool");
}

void async_free(const queue& que, void* ptr) {
  queue(que).submit([&](handler& cgh) { async_free(cgh, ptr); });
}

void async_free(handler& cgh, void* ptr) {
  falx::memory_pool_state::free_after(sycl::detail::command_group_of(cgh), ptr);
}

} // namespace ext::oneapi::experimental
} // namespace sycl
