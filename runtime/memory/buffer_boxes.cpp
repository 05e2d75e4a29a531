// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "buffer_boxes.hpp"

#include <algorithm>
#include <cassert>

namespace falx {
namespace {

[[maybe_unused]] std::size_t volume(const byte_box& box) noexcept {
  return box.is_empty()
             ? 0
             : (box.end[0] - box.begin[0]) * (box.end[1] - box.begin[1]) * (box.end[2] - box.begin[2]);
}

/// All that is in \p pieces from \p first on.
[[maybe_unused]] std::size_t volume_from(std::size_t first, const std::vector<byte_box>& pieces) noexcept {
  std::size_t sum = 0;
  for (std::size_t i = first; i < pieces.size(); ++i)
    sum += volume(pieces[i]);
  return sum;
}

} // namespace

bool intersects(const byte_box& a, const byte_box& b) noexcept {
  return !intersection(a, b).is_empty();
}

bool covers(const byte_box& outer, const byte_box& inner) noexcept {
  for (int axis = 0; axis < 3; ++axis)
    if (inner.begin[axis] < outer.begin[axis] || inner.end[axis] > outer.end[axis])
      return false;
  return true;
}

byte_box intersection(const byte_box& a, const byte_box& b) noexcept {
  byte_box result;
  for (int axis = 0; axis < 3; ++axis) {
    result.begin[axis] = std::max(a.begin[axis], b.begin[axis]);
    result.end[axis] = std::min(a.end[axis], b.end[axis]);
  }
  return result;
}

void subtract(const byte_box& box, const byte_box& hole, std::vector<byte_box>& rest) {
  const byte_box cut = intersection(box, hole);
  if (cut.is_empty()) {
    if (!box.is_empty())
      rest.push_back(box);
    return;
  }
  // Slabs before and behind the hole, from the slowest axis inwards, so that the pieces have long rows.
  byte_box middle = box;
  [[maybe_unused]] const std::size_t first = rest.size();
  for (int axis = 2; axis >= 0; --axis) {
    if (middle.begin[axis] < cut.begin[axis]) {
      rest.push_back(middle);
      rest.back().end[axis] = cut.begin[axis];
    }
    if (cut.end[axis] < middle.end[axis]) {
      rest.push_back(middle);
      rest.back().begin[axis] = cut.end[axis];
    }
    middle.begin[axis] = cut.begin[axis];
    middle.end[axis] = cut.end[axis];
  }
  assert(middle == cut && volume_from(first, rest) + volume(cut) == volume(box) &&
         "pieces and hole make up the box, without overlap");
}

std::vector<byte_box> difference(const byte_box& box, const std::vector<byte_box>& holes) {
  std::vector<byte_box> rest, next;
  if (!box.is_empty())
    rest.push_back(box);
  for (const byte_box& hole : holes) {
    if (rest.empty())
      break;
    next.clear();
    for (const byte_box& piece : rest)
      subtract(piece, hole, next);
    rest.swap(next);
  }
  return rest;
}

bool merge(byte_box& a, const byte_box& b) noexcept {
  if (covers(a, b))
    return true;
  int different = -1;
  for (int axis = 0; axis < 3; ++axis)
    if (a.begin[axis] != b.begin[axis] || a.end[axis] != b.end[axis]) {
      if (different >= 0)
        return false;
      different = axis;
    }
  assert(different >= 0 && "equal boxes cover each other");
  if (a.end[different] < b.begin[different] || b.end[different] < a.begin[different])
    return false;
  a.begin[different] = std::min(a.begin[different], b.begin[different]);
  a.end[different] = std::max(a.end[different], b.end[different]);
  return true;
}

buffer_region buffer_shape::locate(const access_request& request) const noexcept {
  const extent3& extent = request.range;
  if (extent.x == 0 || extent.y == 0 || extent.z == 0)
    return {};
  const std::size_t row = request.buffer_range.x * request.element_size;
  const std::size_t slice = row * request.buffer_range.y;
  const std::size_t width = extent.x * request.element_size;
  const std::size_t begin = request.base + request.offset.z * slice + request.offset.y * row +
                            request.offset.x * request.element_size;

  // The same strides as the grid's: a box of the grid.
  if ((row == row_bytes_ || (extent.y == 1 && extent.z == 1)) &&
      (slice == row_bytes_ * rows_ || extent.z == 1)) {
    const std::size_t z = begin / (row_bytes_ * rows_), in_slice = begin % (row_bytes_ * rows_);
    const std::size_t y = in_slice / row_bytes_, x = in_slice % row_bytes_;
    if (x + width <= row_bytes_ && y + extent.y <= rows_ && z + extent.z <= slices_)
      return {{{x, y, z}, {x + width, y + extent.y, z + extent.z}}, true};
  }
  const std::size_t end = begin + (extent.z - 1) * slice + (extent.y - 1) * row + width;
  return locate_run(begin, end, end - begin == width * extent.y * extent.z);
}

byte_box buffer_shape::requisite(const access_request& request) const noexcept {
  if (page_[0] != 0) {
    byte_box pages = locate(request).box;
    const byte_box buffer = this->whole();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      pages.begin[axis] -= pages.begin[axis] % page_[axis];
      const std::size_t rest = pages.end[axis] % page_[axis];
      pages.end[axis] = std::min(pages.end[axis] + (rest == 0 ? 0 : page_[axis] - rest), buffer.end[axis]);
    }
    return pages;
  }
  access_request whole = request;
  whole.offset = {0, 0, 0};
  whole.range = request.buffer_range;
  return locate(whole).box;
}

buffer_region buffer_shape::locate_run(std::size_t begin, std::size_t end, bool is_exact) const noexcept {
  assert(begin < end && end <= bytes() && "the run is not in the buffer");
  const std::size_t slice_bytes = row_bytes_ * rows_;
  const std::size_t first_row = begin / row_bytes_, last_row = (end - 1) / row_bytes_;
  const std::size_t first_slice = begin / slice_bytes, last_slice = (end - 1) / slice_bytes;
  if (first_row == last_row) {
    const std::size_t y = first_row % rows_, x = begin % row_bytes_;
    return {{{x, y, first_slice}, {x + (end - begin), y + 1, first_slice + 1}}, is_exact};
  }
  if (first_slice == last_slice)
    return {{{0, first_row % rows_, first_slice}, {row_bytes_, last_row % rows_ + 1, first_slice + 1}},
            is_exact && begin % row_bytes_ == 0 && end % row_bytes_ == 0};
  return {{{0, 0, first_slice}, {row_bytes_, rows_, last_slice + 1}},
          is_exact && begin % slice_bytes == 0 && end % slice_bytes == 0};
}

memory_box buffer_shape::memory(void* base, const byte_box& box) const noexcept {
  assert(!box.is_empty() && covers(whole(), box) && "the box is not in the buffer");
  const extent3 size{box.end[0] - box.begin[0], box.end[1] - box.begin[1], box.end[2] - box.begin[2]};
  memory_box result;
  const bool is_run =
      (size.y == 1 && size.z == 1) || (size.x == row_bytes_ && (size.z == 1 || size.y == rows_));
  if (is_run) {
    result.base =
        static_cast<char*>(base) + (box.begin[2] * rows_ + box.begin[1]) * row_bytes_ + box.begin[0];
    result.array_range = result.range = {size.x * size.y * size.z, 1, 1};
    return result;
  }
  result.base = base;
  result.array_range = {row_bytes_, rows_, slices_};
  result.offset = {box.begin[0], box.begin[1], box.begin[2]};
  result.range = size;
  return result;
}

} // namespace falx
