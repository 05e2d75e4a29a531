// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_memory_operations.hpp"

#include "cpu_chunks.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>

namespace falx {
namespace {

/// One thread copies this much at a time; what is not more than two of them is not worth sharing.
constexpr std::size_t CHUNK_BYTES = std::size_t{512} << 10;

/// A box as a sequence of bytes, made of runs of equal length that are contiguous in memory.
class byte_box {
public:
  explicit byte_box(const memory_box& box) noexcept {
    const std::size_t element = box.element_size;
    const std::size_t row = box.array_range.x * element;
    const std::size_t plane = row * box.array_range.y;
    first_ = static_cast<unsigned char*>(box.base) + box.offset.z * plane + box.offset.y * row +
             box.offset.x * element;
    size_ = box.range.x * box.range.y * box.range.z * element;
    // Rows that are as long as the array's are contiguous with the next, and so are such planes.
    run_ = box.range.x * element;
    rows_ = box.range.y;
    row_stride_ = row;
    plane_stride_ = plane;
    if (box.range.x == box.array_range.x || box.range.y == 1) {
      if (box.range.x == box.array_range.x) {
        run_ *= box.range.y;
        rows_ = 1;
      }
      if (box.range.z == 1 || (rows_ == 1 && run_ == plane)) {
        run_ = size_ / rows_;
      }
    }
  }

  std::size_t size() const noexcept { return size_; }

  struct run {
    unsigned char* bytes;
    std::size_t size;
  };
  /// The contiguous bytes from \p position of the sequence on.
  run from(std::size_t position) const noexcept {
    assert(position < size_ && run_ != 0 && "the box has no such byte");
    const std::size_t which = position / run_;
    const std::size_t inside = position % run_;
    return {first_ + which / rows_ * plane_stride_ + which % rows_ * row_stride_ + inside, run_ - inside};
  }

private:
  unsigned char* first_;
  std::size_t size_;
  std::size_t run_;
  /// Runs in a plane.
  std::size_t rows_;
  std::size_t row_stride_;
  std::size_t plane_stride_;
};

struct copy_context {
  byte_box source, destination;
  std::size_t size;
};

void copy_bytes(const copy_context& copy, std::size_t begin, std::size_t end) noexcept {
  while (begin < end) {
    const byte_box::run from = copy.source.from(begin);
    const byte_box::run to = copy.destination.from(begin);
    const std::size_t bytes = std::min({from.size, to.size, end - begin});
    std::memmove(to.bytes, from.bytes, bytes);
    begin += bytes;
  }
}

void copy_chunks(const void* context, std::size_t begin, std::size_t end) noexcept {
  const auto& copy = *static_cast<const copy_context*>(context);
  copy_bytes(copy, begin * CHUNK_BYTES, std::min(end * CHUNK_BYTES, copy.size));
}

/// Fills \p size bytes whose first one is byte \p phase of the pattern.
void repeat(unsigned char* to, std::size_t size, const unsigned char* pattern, std::size_t pattern_size,
            std::size_t phase) noexcept {
  if (pattern_size == 1) {
    std::memset(to, pattern[0], size);
    return;
  }
  std::size_t done = 0;
  for (; done < std::min(size, pattern_size); ++done)
    to[done] = pattern[(phase + done) % pattern_size];
  // What is there repeats, so copies of it go on; blocks stay small enough for the nearest cache.
  constexpr std::size_t LARGEST_BLOCK = 4096;
  std::size_t block = done;
  while (done < size) {
    const std::size_t bytes = std::min(block, size - done);
    std::memcpy(to + done, to, bytes);
    done += bytes;
    if (block * 2 <= LARGEST_BLOCK)
      block *= 2;
  }
}

struct fill_context {
  byte_box destination;
  const unsigned char* pattern;
  std::size_t pattern_size;
};

void fill_bytes(const fill_context& fill, std::size_t begin, std::size_t end) noexcept {
  while (begin < end) {
    const byte_box::run to = fill.destination.from(begin);
    const std::size_t bytes = std::min(to.size, end - begin);
    repeat(to.bytes, bytes, fill.pattern, fill.pattern_size, begin % fill.pattern_size);
    begin += bytes;
  }
}

void fill_chunks(const void* context, std::size_t begin, std::size_t end) noexcept {
  const auto& fill = *static_cast<const fill_context*>(context);
  fill_bytes(fill, begin * CHUNK_BYTES, std::min(end * CHUNK_BYTES, fill.destination.size()));
}

std::size_t chunks_of(std::size_t bytes) noexcept {
  return (bytes + CHUNK_BYTES - 1) / CHUNK_BYTES;
}

/// Whether any byte is in both boxes' spans: then chunks must run in order.
bool may_overlap(const memory_box& a, const memory_box& b) noexcept {
  const auto span = [](const memory_box& box) {
    const auto* begin = static_cast<const unsigned char*>(box.base);
    return std::pair(begin,
                     begin + box.array_range.x * box.array_range.y * box.array_range.z * box.element_size);
  };
  const auto [a_begin, a_end] = span(a);
  const auto [b_begin, b_end] = span(b);
  return a_begin < b_end && b_begin < a_end;
}

} // namespace

bool run_copy(cpu_executor& executor, const copy_operation& copy, command_view& self,
              void (*done)(command_view& self) noexcept) noexcept {
  copy_context context{byte_box(copy.source), byte_box(copy.destination), 0};
  context.size = std::min(context.source.size(), context.destination.size());
  if (context.size <= 2 * CHUNK_BYTES || may_overlap(copy.source, copy.destination)) {
    copy_bytes(context, 0, context.size);
    return true;
  }
  const cpu_long_work long_work(executor);
  const std::size_t chunks = chunks_of(context.size);
  return run_chunks(executor, {&copy_chunks, &context, sizeof(context), 0, chunks, chunks}, self, done);
}

bool run_fill(cpu_executor& executor, const fill_operation& fill, command_view& self,
              void (*done)(command_view& self) noexcept) noexcept {
  const fill_context context{byte_box(fill.destination), fill.pattern.data(), fill.pattern.size()};
  const std::size_t size = context.destination.size();
  if (size <= 2 * CHUNK_BYTES || fill.pattern.empty()) {
    if (!fill.pattern.empty())
      fill_bytes(context, 0, size);
    return true;
  }
  const cpu_long_work long_work(executor);
  const std::size_t chunks = chunks_of(size);
  return run_chunks(executor, {&fill_chunks, &context, sizeof(context), 0, chunks, chunks}, self, done);
}

} // namespace falx
