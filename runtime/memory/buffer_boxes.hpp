// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/buffer.hpp"
#include "falx/memory.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

/// \file
/// Parts of a buffer. All accesses to one buffer, whatever element type and range they see it with, are
/// expressed in one grid, that of the buffer as it was constructed: bytes along axis x, rows along y, slices
/// along z. So any two of them can be compared.

namespace falx {

/// A box in a buffer's grid, end exclusive.
struct byte_box {
  std::array<std::size_t, 3> begin{};
  std::array<std::size_t, 3> end{};

  bool is_empty() const noexcept { return begin[0] >= end[0] || begin[1] >= end[1] || begin[2] >= end[2]; }
  friend bool operator==(const byte_box&, const byte_box&) = default;
};

bool intersects(const byte_box& a, const byte_box& b) noexcept;
/// True if every byte of \p inner is in \p outer.
bool covers(const byte_box& outer, const byte_box& inner) noexcept;
/// Empty if they do not intersect.
byte_box intersection(const byte_box& a, const byte_box& b) noexcept;
/// Appends up to six boxes that make up \p box without \p hole.
void subtract(const byte_box& box, const byte_box& hole, std::vector<byte_box>& rest);
/// \p box without all of \p holes.
std::vector<byte_box> difference(const byte_box& box, const std::vector<byte_box>& holes);
/// Merges \p b into \p a if together they are a box.
bool merge(byte_box& a, const byte_box& b) noexcept;

/// The part of a buffer that an access concerns.
struct buffer_region {
  byte_box box;
  /// False if the box is larger than what is accessed, because the access sees the buffer with another shape.
  bool is_exact = true;
};

/// The grid of one buffer.
class buffer_shape {
public:
  /// \p page is in elements; 0 without pages. The range's bytes are known to be no more than LARGEST_BYTES.
  buffer_shape(const extent3& range, std::size_t element_size, const extent3& page = {0, 0, 0}) noexcept
      : row_bytes_(range.x * element_size), rows_(range.y), slices_(range.z),
        page_{within(page.x, range.x) * element_size, within(page.y, range.y), within(page.z, range.z)} {}

  std::size_t bytes() const noexcept { return row_bytes_ * rows_ * slices_; }
  byte_box whole() const noexcept { return {{0, 0, 0}, {row_bytes_, rows_, slices_}}; }
  /// Where the access is in the grid.
  buffer_region locate(const access_request& request) const noexcept;
  /// What the access is ordered by: SYCL 2020 §4.7.6.8 has a ranged accessor wait for every conflicting one
  /// of the (sub-)buffer, whether or not their ranges overlap; only sub-buffers are independent of each
  /// other. Where the user sets pages (AdaptiveCpp's ACPP_EXT_BUFFER_PAGE_SIZE), those that it touches.
  byte_box requisite(const access_request& request) const noexcept;
  /// The box in the buffer's copy at \p base, for a backend to copy: one run of bytes where the box is one.
  memory_box memory(void* base, const byte_box& box) const noexcept;

private:
  /// A page beyond the end of the buffer is as good as one that ends there.
  static constexpr std::size_t within(std::size_t page, std::size_t extent) noexcept {
    return std::min(page, std::max<std::size_t>(extent, 1));
  }
  buffer_region locate_run(std::size_t begin, std::size_t end, bool is_exact) const noexcept;

  std::size_t row_bytes_, rows_, slices_;
  /// Bytes, rows and slices of a page; 0 without pages.
  std::array<std::size_t, 3> page_;
};

} // namespace falx
