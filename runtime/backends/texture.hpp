// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

namespace falx {

/// How a device's texture unit reads a picture of four components per pixel that lies in the device's memory,
/// row by row.
struct texture_description {
  /// Integers are fractions of their largest value.
  enum class component : std::uint8_t { unorm8, unorm16, half, single };
  enum class addressing : std::uint8_t { repeat, clamp_to_edge, mirrored_repeat, border };

  /// In pixels.
  std::size_t width = 1, height = 1;
  /// In bytes, from row to row.
  std::size_t pitch = 0;
  component components = component::single;
  /// What coordinates outside of the picture mean. A border has components of 0.
  addressing outside = addressing::clamp_to_edge;
  /// Coordinates go from 0 to 1.
  bool is_normalized = false;
  /// Mixes neighbours, else gives the nearest pixel.
  bool is_filtered = false;

  friend bool operator==(const texture_description&, const texture_description&) = default;
};

} // namespace falx
