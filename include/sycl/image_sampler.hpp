// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

namespace sycl {

/// What coordinates outside of an image stand for (SYCL 2020 §4.7.8). mirrored_repeat and repeat are meant
/// for normalized coordinates; others they take as pixels of images that follow each other.
enum class addressing_mode : unsigned char {
  /// The image and its mirror image in turns.
  mirrored_repeat,
  /// The image again and again.
  repeat,
  /// The pixel at the edge.
  clamp_to_edge,
  /// A border of pixels of which all components are 0.
  clamp,
  /// The program does not use such coordinates. In Falx it may: they are clamp_to_edge's.
  none
};

enum class filtering_mode : unsigned char {
  nearest,
  /// Between the two pixels next to the coordinate in each dimension.
  linear
};

enum class coordinate_normalization_mode : unsigned char {
  /// From 0 to 1 over the image.
  normalized,
  /// In pixels, whose middles are at halves.
  unnormalized
};

/// How a sampled_image is read (SYCL 2020 §4.7.8).
struct image_sampler {
  addressing_mode addressing;
  coordinate_normalization_mode coordinate;
  filtering_mode filtering;
};

} // namespace sycl
