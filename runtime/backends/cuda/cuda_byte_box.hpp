// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/memory.hpp"

#include <cstddef>
#include <cstdint>

namespace falx {

/// A box in bytes: \ref depth slices of \ref height rows of \ref width bytes. Neighbours that are contiguous
/// are one row, so that as few axes as possible are longer than 1.
struct cuda_byte_box {
  explicit cuda_byte_box(const memory_box& box) noexcept;

  std::uint64_t first = 0; // address
  std::size_t width = 0, height = 1, depth = 1;
  std::size_t pitch = 0, slice = 0; // bytes from row to row, and from slice to slice

  bool is_contiguous() const noexcept { return height == 1 && depth == 1; }
  bool has_shape_of(const cuda_byte_box& other) const noexcept {
    return width == other.width && height == other.height && depth == other.depth;
  }
  std::size_t size() const noexcept { return width * height * depth; }

  /// The contiguous bytes from \p position of the box's sequence of bytes on.
  struct run {
    std::uint64_t address;
    std::size_t size;
  };
  run from(std::size_t position) const noexcept;
};

} // namespace falx
