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
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace falx {
namespace {

/// A buffer that a kernel writes to, and how many characters are wanted of it.
struct pending_output {
  pooled_memory::block block;
  std::size_t characters;
};

/// Puts together what each work-item wrote between flushes, in the order of the flushes.
std::string text_of(stream_buffer& buffer) {
  std::string text;
  struct unflushed {
    std::string text;
    std::size_t begin;
  };
  std::unordered_map<std::uint64_t, unflushed> writers;
  const std::size_t end = std::min(buffer.cursor, buffer.capacity);
  for (std::size_t at = 0; at + sizeof(stream_record) <= end;) {
    stream_record record{};
    std::memcpy(&record, buffer.records() + at, sizeof(record));
    if (record.bits == 0)
      break; // the rest did not fit
    const char* const part = buffer.records() + at + sizeof(record);
    const auto [writer, is_new] = writers.try_emplace(record.writer(), std::string(), at);
    if (is_new && record.flushes())
      text.append(part, record.length()); // nearly all of them
    else
      writer->second.text.append(part, record.length());
    if (record.flushes()) {
      text += writer->second.text;
      writers.erase(writer);
    }
    at += sizeof(record) + record.length();
  }
  std::vector<unflushed> rest;
  rest.reserve(writers.size());
  for (auto& [number, writer] : writers)
    rest.push_back(std::move(writer));
  std::ranges::sort(rest, {}, &unflushed::begin);
  for (const unflushed& each : rest)
    text += each.text;
  return text;
}

void print_and_give_back(void* data) {
  const std::unique_ptr<pending_output> pending(static_cast<pending_output*>(data));
  const std::string text = text_of(*static_cast<stream_buffer*>(pending->block.memory));
  if (const std::size_t length = std::min(text.size(), pending->characters)) {
    std::fwrite(text.data(), 1, length, stdout);
    std::fflush(stdout);
  }
  pooled_memory::give_back(pending->block);
}

} // namespace

stream_buffer* create_stream_buffer(command_group& group, std::size_t capacity) {
  // Shared memory moves to the device when the kernel writes, and back when the host reads, if the host may
  // touch it while other kernels run.
  // Work-items may write and flush one character at a time.
  constexpr std::size_t WORST = 2 * sizeof(stream_record) + 1;
  constexpr std::size_t MOST = PTRDIFF_MAX - sizeof(stream_buffer); // which no allocation gives
  const std::size_t bytes = std::min(checked_bytes("sycl::stream", capacity, 1), MOST / WORST) * WORST;
  const usm_kind kind = group.device().description().usm_atomic_shared ? usm_kind::shared : usm_kind::host;
  auto pending = std::make_unique<pending_output>(
      pooled_memory::of(group.device(), kind).take(sizeof(stream_buffer) + bytes), capacity);
  try {
    add_completion_action(group, print_and_give_back, pending.get());
  } catch (...) {
    pooled_memory::give_back(pending->block);
    throw;
  }
  return ::new (pending.release()->block.memory) stream_buffer{0, bytes};
}

} // namespace falx

sycl::stream::stream(std::size_t total_buffer_size, std::size_t work_item_buffer_size, handler& group,
                     const property_list&)
    : buffer_(falx::create_stream_buffer(detail::command_group_of(group), total_buffer_size)),
      size_(total_buffer_size), work_item_buffer_size_(work_item_buffer_size) {}
