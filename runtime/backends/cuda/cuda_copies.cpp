// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_byte_box.hpp"
#include "cuda_memory_operations.hpp"

#include <algorithm>

/// \file
/// Copies between any memories that the process has: unified addressing tells the driver where they are.

namespace falx {
namespace {

constexpr std::uint64_t LONGEST_SLICE = 0x7FFFFFFF;

void copy_bytes(cuda_stream& stream, std::uint64_t destination, std::uint64_t source, std::size_t bytes) {
  stream.context().check(cuda::api().cuMemcpyAsync(destination, source, bytes, stream.native()), "copy");
}

void copy_rows(cuda_stream& stream, const cuda_byte_box& to, const cuda_byte_box& from) {
  cuda::copy_2d copy;
  copy.source_host = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(from.first));
  copy.source_device = from.first;
  copy.source_pitch = from.pitch;
  copy.destination_host = reinterpret_cast<void*>(static_cast<std::uintptr_t>(to.first));
  copy.destination_device = to.first;
  copy.destination_pitch = to.pitch;
  copy.width_bytes = from.width;
  copy.height = from.height;
  stream.context().check(cuda::api().cuMemcpy2DAsync(&copy, stream.native()), "copy of rows");
}

void copy_slices(cuda_stream& stream, const cuda_byte_box& to, const cuda_byte_box& from) {
  cuda::copy_3d copy;
  copy.source_host = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(from.first));
  copy.source_device = from.first;
  copy.source_pitch = from.pitch;
  copy.source_height = from.slice / from.pitch;
  copy.destination_host = reinterpret_cast<void*>(static_cast<std::uintptr_t>(to.first));
  copy.destination_device = to.first;
  copy.destination_pitch = to.pitch;
  copy.destination_height = to.slice / to.pitch;
  copy.width_bytes = from.width;
  copy.height = from.height;
  copy.depth = from.depth;
  stream.context().check(cuda::api().cuMemcpy3DAsync(&copy, stream.native()), "copy of slices");
}

/// Pieces that are contiguous on both sides.
void copy_runs(cuda_stream& stream, const cuda_byte_box& to, const cuda_byte_box& from, std::size_t bytes) {
  for (std::size_t position = 0; position < bytes;) {
    const cuda_byte_box::run source = from.from(position), destination = to.from(position);
    const std::size_t size = std::min({source.size, destination.size, bytes - position});
    copy_bytes(stream, destination.address, source.address, size);
    position += size;
  }
}

bool is_pitched(const cuda_byte_box& box, std::size_t max_pitch) noexcept {
  return box.pitch <= max_pitch && box.slice % box.pitch == 0 && box.slice / box.pitch <= LONGEST_SLICE;
}

/// A contiguous side takes the other's shape.
void reshape(cuda_byte_box& contiguous, const cuda_byte_box& like) noexcept {
  contiguous.width = contiguous.pitch = like.width;
  contiguous.height = like.height;
  contiguous.depth = like.depth;
  contiguous.slice = like.width * like.height;
}

} // namespace

void start_cuda_copy(cuda_stream& stream, const cuda_limits& limits, const copy_operation& copy) {
  cuda_byte_box from(copy.source), to(copy.destination);
  const std::size_t bytes = std::min(from.size(), to.size());
  if (bytes == 0)
    return;
  if (from.size() == to.size()) {
    if (from.is_contiguous() && !to.is_contiguous())
      reshape(from, to);
    else if (to.is_contiguous() && !from.is_contiguous())
      reshape(to, from);
  }
  if (from.is_contiguous() && to.is_contiguous())
    copy_bytes(stream, to.first, from.first, bytes);
  else if (!from.has_shape_of(to) || !is_pitched(from, limits.max_pitch) || !is_pitched(to, limits.max_pitch))
    copy_runs(stream, to, from, bytes);
  else if (from.depth == 1)
    copy_rows(stream, to, from);
  else
    copy_slices(stream, to, from);
}

} // namespace falx
