// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstddef>
#include <cstdint>

namespace falx {

class command_group;

/// The buffer behind a sycl::stream: `capacity` bytes of records follow this header. A record is a
/// stream_record and the text of a part of a statement, without padding; a work-item's records are in its
/// order. Lives in memory that the host and the command group's device share.
struct stream_buffer {
  /// Bytes that statements had to write. More than the capacity when output was cut off: then a record
  /// without text and work-item comes before what is not there.
  std::uint64_t cursor;
  std::uint64_t capacity;

  char* records() noexcept { return reinterpret_cast<char*>(this + 1); }
};

/// Which work-item wrote how many characters, and whether it then flushed the stream: what a work-item writes
/// from one flush to the next stays together. Numbers are modulo 2^27; work-items that far apart may mix.
struct stream_record {
  static constexpr unsigned LENGTH_BITS = 9, NUMBER_BITS = 27;
  std::uint64_t bits;

  static stream_record of(std::uint64_t item, std::uint64_t group, unsigned length, bool flushes) noexcept {
    constexpr std::uint64_t mask = (std::uint64_t{1} << NUMBER_BITS) - 1;
    return {length | std::uint64_t{flushes} << LENGTH_BITS |
            ((item & mask) | (group & mask) << NUMBER_BITS) << (LENGTH_BITS + 1)};
  }
  unsigned length() const noexcept { return static_cast<unsigned>(bits & ((1u << LENGTH_BITS) - 1)); }
  bool flushes() const noexcept { return (bits >> LENGTH_BITS & 1) != 0; }
  std::uint64_t writer() const noexcept { return bits >> (LENGTH_BITS + 1); }
};

/// Makes an empty buffer for \p capacity characters that the command group's kernel writes. When the kernel
/// has finished, its text goes to standard output and the buffer is freed.
stream_buffer* create_stream_buffer(command_group& group, std::size_t capacity);

} // namespace falx
