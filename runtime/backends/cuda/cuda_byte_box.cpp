// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_byte_box.hpp"

namespace falx {

cuda_byte_box::cuda_byte_box(const memory_box& box) noexcept {
  const std::size_t row = box.array_range.x * box.element_size;
  const std::size_t plane = row * box.array_range.y;
  first = reinterpret_cast<std::uintptr_t>(box.base) + box.offset.z * plane + box.offset.y * row +
          box.offset.x * box.element_size;
  width = box.range.x * box.element_size;
  height = box.range.y;
  depth = box.range.z;
  pitch = row;
  slice = plane;
  if (height == 1) { // slices are its rows
    height = depth;
    depth = 1;
    pitch = slice;
  } else if (pitch == width && (depth == 1 || slice == width * height)) {
    width *= height * depth;
    height = depth = 1;
  } else if (pitch == width) { // whole slices are its rows
    width *= height;
    height = depth;
    depth = 1;
    pitch = slice;
  }
  if (height > 1 && depth == 1 && pitch == width) {
    width *= height;
    height = 1;
  }
  if (height == 1 && depth == 1)
    pitch = slice = width;
  else if (depth == 1)
    slice = pitch * height;
}

cuda_byte_box::run cuda_byte_box::from(std::size_t position) const noexcept {
  const std::size_t row = position / width;
  const std::size_t inside = position % width;
  return {first + row / height * slice + row % height * pitch + inside, width - inside};
}

} // namespace falx
