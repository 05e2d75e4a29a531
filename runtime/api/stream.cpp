// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/stream.hpp"
#include "falx/completion.hpp"
#include "sycl/stream.hpp"

#include "devices/device_state.hpp"
#include "falx/sizes.hpp"
#include "memory/pooled_memory.hpp"
#include "scheduler/command_group.hpp"
#include "sycl/local_accessor.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>

namespace falx {
namespace {

void print_and_give_back(void* data) {
  const std::unique_ptr<pooled_memory::block> pending(static_cast<pooled_memory::block*>(data));
  stream_buffer& buffer = *static_cast<stream_buffer*>(pending->memory);
  if (const std::size_t length = std::min(buffer.cursor, buffer.capacity)) {
    std::fwrite(buffer.text(), 1, length, stdout);
    std::fflush(stdout);
  }
  pooled_memory::give_back(*pending);
}

} // namespace

stream_buffer* create_stream_buffer(command_group& group, std::size_t capacity) {
  // Shared memory moves to the device when the kernel writes, and back when the host reads, if the host may
  // touch it while other kernels run.
  checked_bytes("sycl::stream", capacity, 1);
  const usm_kind kind = group.device().description().usm_atomic_shared ? usm_kind::shared : usm_kind::host;
  auto pending = std::make_unique<pooled_memory::block>(
      pooled_memory::of(group.device(), kind).take(sizeof(stream_buffer) + capacity));
  try {
    add_completion_action(group, print_and_give_back, pending.get());
  } catch (...) {
    pooled_memory::give_back(*pending);
    throw;
  }
  return ::new (pending.release()->memory) stream_buffer{0, capacity};
}

} // namespace falx

sycl::stream::stream(std::size_t total_buffer_size, std::size_t work_item_buffer_size, handler& group,
                     const property_list&)
    : buffer_(falx::create_stream_buffer(detail::command_group_of(group), total_buffer_size)),
      size_(total_buffer_size), work_item_buffer_size_(work_item_buffer_size) {}
