// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstddef>
#include <cstdint>

namespace falx {

class command_group;

/// The buffer behind a sycl::stream: `capacity` bytes of text follow this header. Lives in memory that the
/// host and the command group's device share.
struct stream_buffer {
  /// Bytes that statements had to write. More than the capacity when output was cut off.
  std::uint64_t cursor;
  std::uint64_t capacity;

  char* text() noexcept { return reinterpret_cast<char*>(this + 1); }
};

/// Makes an empty buffer for the command group's kernel. When the kernel has finished, its text goes to
/// standard output and the buffer is freed.
stream_buffer* create_stream_buffer(command_group& group, std::size_t capacity);

} // namespace falx
