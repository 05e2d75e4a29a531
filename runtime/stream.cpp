// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/stream.hpp"
#include "falx/completion.hpp"
#include "sycl/stream.hpp"

#include "command_group.hpp"
#include "device_state.hpp"
#include "sycl/local_accessor.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>

namespace falx {
namespace {

/// A stream's buffer until its kernel has finished.
struct pending_stream {
  backend_device& device;
  stream_buffer* buffer;
};

void print_and_free(void* data) {
  const std::unique_ptr<pending_stream> pending(static_cast<pending_stream*>(data));
  stream_buffer& buffer = *pending->buffer;
  if (const std::size_t length = std::min(buffer.cursor, buffer.capacity)) {
    std::fwrite(buffer.text(), 1, length, stdout);
    std::fflush(stdout);
  }
  pending->device.free(usm_kind::host, &buffer);
}

} // namespace

stream_buffer* create_stream_buffer(command_group& group, std::size_t capacity) {
  backend_device& device = group.device().backend();
  auto pending = std::make_unique<pending_stream>(pending_stream{device, nullptr});
  void* memory = device.allocate(usm_kind::host, sizeof(stream_buffer) + capacity, alignof(stream_buffer));
  pending->buffer = ::new (memory) stream_buffer{0, capacity};
  add_completion_action(group, print_and_free, pending.get());
  return pending.release()->buffer;
}

} // namespace falx

sycl::stream::stream(std::size_t total_buffer_size, std::size_t work_item_buffer_size, handler& group,
                     const property_list&)
    : buffer_(falx::create_stream_buffer(detail::command_group_of(group), total_buffer_size)),
      size_(total_buffer_size), work_item_buffer_size_(work_item_buffer_size) {}
