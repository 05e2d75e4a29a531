// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstddef>

namespace sycl {

/// How the four components of a pixel are stored (SYCL 2020 §4.7.3.1). unorm are unsigned integers that stand
/// for 0 to 1.
enum class image_format : unsigned char {
  r8g8b8a8_unorm,
  r16g16b16a16_unorm,
  r8g8b8a8_sint,
  r16g16b16a16_sint,
  r32b32g32a32_sint,
  r8g8b8a8_uint,
  r16g16b16a16_uint,
  r32b32g32a32_uint,
  r16b16g16a16_sfloat,
  r32g32b32a32_sfloat,
  b8g8r8a8_unorm
};

namespace detail {

/// What the components of a pixel are in kernels.
enum class pixel_kind { signed_integer, unsigned_integer, floating_point };

/// Throws errc::invalid unless pixels of the format are of the kind. \p accessor names the class.
void check_pixel_kind(const char* accessor, image_format format, pixel_kind kind);

constexpr std::size_t pixel_bytes(image_format format) noexcept {
  switch (format) {
  case image_format::r8g8b8a8_unorm:
  case image_format::r8g8b8a8_sint:
  case image_format::r8g8b8a8_uint:
  case image_format::b8g8r8a8_unorm:
    return 4;
  case image_format::r16g16b16a16_unorm:
  case image_format::r16g16b16a16_sint:
  case image_format::r16g16b16a16_uint:
  case image_format::r16b16g16a16_sfloat:
    return 8;
  case image_format::r32b32g32a32_sint:
  case image_format::r32b32g32a32_uint:
  case image_format::r32g32b32a32_sfloat:
    return 16;
  }
  return 16;
}

} // namespace detail
} // namespace sycl
