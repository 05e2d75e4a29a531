// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_worker_memory.hpp"

#include "backends/command_view.hpp"
#include "cpu_kernel_stack.hpp"
#include "process/thread_end.hpp"
#include "sycl/access.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <new>
#include <string>
#include <variant>
#include <vector>

namespace falx {
namespace {

constexpr std::align_val_t ALIGNMENT{128};
constexpr std::size_t SMALLEST_ARENA = std::size_t{64} << 10;

struct freed {
  void operator()(void* memory) const noexcept { ::operator delete(memory, ALIGNMENT); }
};
using memory_block = std::unique_ptr<void, freed>;

memory_block make_block(std::size_t bytes) {
  return memory_block(::operator new(bytes, ALIGNMENT));
}

bool lies_in(const void* object, const void* block, std::size_t bytes) noexcept {
  return reinterpret_cast<std::uintptr_t>(object) - reinterpret_cast<std::uintptr_t>(block) < bytes;
}

/// A block that only grows.
class growing_block {
public:
  void* at_least(std::size_t bytes) {
    if (bytes > size_) {
      block_.reset();
      size_ = 0;
      block_ = make_block(bytes);
      size_ = bytes;
    }
    return block_.get();
  }

  bool contains(const void* object) const noexcept { return lies_in(object, block_.get(), size_); }

  void give_back() noexcept {
    if (size_ <= WORKER_MEMORY_KEPT)
      return;
    block_.reset();
    size_ = 0;
  }

private:
  memory_block block_;
  std::size_t size_ = 0;
};

/// Behind __falx_work_group_alloc. Blocks stay where they are while the group's body runs; after one that
/// needed several, a single one as large as all takes their place.
class bump_allocator {
public:
  void* allocate(std::size_t bytes) {
    bytes = (bytes + 63) & ~std::size_t{63};
    if (bytes > left_)
      add_block(bytes);
    void* const result = free_;
    free_ += bytes;
    left_ -= bytes;
    return result;
  }

  void release() {
    if (blocks_.size() > 1) {
      const std::size_t all = total_;
      blocks_.clear();
      total_ = left_ = 0;
      add_block(all);
    }
    if (!blocks_.empty()) {
      free_ = static_cast<unsigned char*>(blocks_.front().memory.get());
      left_ = total_;
    }
  }

  bool contains(const void* object) const noexcept {
    return std::ranges::any_of(
        blocks_, [&](const sized_block& each) { return lies_in(object, each.memory.get(), each.bytes); });
  }

  void give_back() noexcept {
    if (total_ <= WORKER_MEMORY_KEPT)
      return;
    blocks_.clear();
    free_ = nullptr;
    total_ = left_ = 0;
  }

private:
  struct sized_block {
    memory_block memory;
    std::size_t bytes;
  };

  void add_block(std::size_t bytes) {
    const std::size_t size = std::max({bytes, SMALLEST_ARENA, total_});
    blocks_.push_back({make_block(size), size});
    free_ = static_cast<unsigned char*>(blocks_.back().memory.get());
    left_ = size;
    total_ += size;
  }

  std::vector<sized_block> blocks_;
  unsigned char* free_ = nullptr;
  std::size_t left_ = 0;
  std::size_t total_ = 0;
};

/// Fails the command whose kernel it is.
void report_deadlock(cpu::worker_memory* self, std::uint64_t waiting, std::uint64_t gathered) noexcept {
  auto& launched = *static_cast<command_view*>(self->launch);
  std::string others;
  if (gathered != 0)
    others = fmt::format(", and {} at a group barrier, which those do not reach", gathered);
  launched.fail(std::make_exception_ptr(sycl::exception(
      sycl::errc::kernel,
      fmt::format("kernel '{}' cannot go on: {} work-items of a group wait for a cycle of an asynchronous "
                  "barrier that no arrival will complete{}; compare what the barrier expects with the "
                  "arrivals",
                  std::get<kernel_operation>(launched.what()).kernel_name, waiting, others))));
}

std::uint32_t address_space_of(cpu::worker_memory* self, const void* object) noexcept;

struct thread_memory {
  thread_memory() {
    memory.allocate = [](cpu::worker_memory* self, std::uint64_t bytes) {
      return static_cast<bump_allocator*>(self->allocator_state)->allocate(bytes);
    };
    memory.release = [](cpu::worker_memory* self) {
      static_cast<bump_allocator*>(self->allocator_state)->release();
    };
    memory.allocator_state = &allocator;
    memory.report_deadlock = &report_deadlock;
    memory.address_space_of = &address_space_of;
  }
  growing_block local, scratch, context;
  cpu_kernel_stack stack;
  bump_allocator allocator;
  cpu::worker_memory memory{};
};

thread_local constinit thread_memory* memory_of_thread = nullptr;

/// The frame of this function lies below all frames of the kernel, which called it.
std::uint32_t address_space_of(cpu::worker_memory* self, const void* object) noexcept {
  using sycl::access::address_space;
  const thread_memory& thread = *memory_of_thread;
  const auto number = [](address_space space) { return static_cast<std::uint32_t>(space); };
  if (thread.local.contains(object) || thread.scratch.contains(object))
    return number(address_space::local_space);
  const void* const bottom = __builtin_frame_address(0);
  const auto height =
      reinterpret_cast<std::uintptr_t>(self->stack_top) - reinterpret_cast<std::uintptr_t>(bottom);
  const bool is_private =
      lies_in(object, bottom, height) || thread.context.contains(object) || thread.allocator.contains(object);
  return number(is_private ? address_space::private_space : address_space::global_space);
}

/// The calling thread's; it goes when the thread ends. Throws std::bad_alloc.
thread_memory& mine() {
  static const thread_end end([](void* memory) {
    memory_of_thread = nullptr;
    delete static_cast<thread_memory*>(memory);
  });
  if (memory_of_thread == nullptr) [[unlikely]] {
    memory_of_thread = std::make_unique<thread_memory>().release();
    end.watch(memory_of_thread);
  }
  return *memory_of_thread;
}

} // namespace

cpu::worker_memory& worker_memory_for(const worker_demand& demand) {
  thread_memory& thread = mine();
  thread.memory.local_memory = thread.local.at_least(demand.local_memory);
  thread.memory.group_scratch = thread.scratch.at_least(demand.group_scratch);
  thread.memory.work_item_context = thread.context.at_least(demand.work_item_context);
  thread.stack.reserve(demand.stack);
  return thread.memory;
}

cpu_kernel_stack& worker_stack() noexcept {
  return memory_of_thread->stack;
}

void give_back_worker_memory() noexcept {
  if (memory_of_thread == nullptr)
    return;
  thread_memory& thread = *memory_of_thread;
  for (growing_block* block : {&thread.local, &thread.scratch, &thread.context})
    block->give_back();
  thread.allocator.give_back();
  thread.stack.give_back();
}

} // namespace falx
