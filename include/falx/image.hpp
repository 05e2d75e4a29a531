// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"

#include <cstddef>

/// \file
/// Images below the templates: to the runtime an image is a buffer of pixels, of which the rows may be longer
/// than the image is wide.

namespace falx {

/// No image has more pixels in a dimension: floats, with which sampled images are read, tell that many apart.
constexpr std::size_t LARGEST_IMAGE_EXTENT = std::size_t{1} << 24;

/// The place of an image's pixels in memory.
struct image_shape {
  /// Pixels by axis, x fastest.
  extent3 range{1, 1, 1};
  unsigned dimensions = 1;
  std::size_t pixel_bytes = 4;
  /// Bytes from one row to the next, and from one slice to the next; 0 for those without gaps.
  std::size_t row_pitch = 0;
  std::size_t slice_pitch = 0;
};

/// The shape with pitches. \p what names the class, for messages. Throws errc::invalid for an image without
/// pixels and for pitches that are too small, or no multiples of pixels and of rows; and
/// errc::feature_not_supported for an image that is too large.
image_shape checked_image_shape(const char* what, image_shape shape);

} // namespace falx
