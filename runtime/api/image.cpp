// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/image.hpp"

#include "backends/texture.hpp"
#include "devices/device_state.hpp"
#include "falx/sizes.hpp"
#include "memory/buffer_state.hpp"
#include "scheduler/command_group.hpp"
#include "sycl/detail/image_view.hpp"
#include "sycl/exception.hpp"
#include "sycl/image_format.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <string>

namespace falx {
namespace {

/// As the user wrote it, the width first.
std::string spelled(const image_shape& shape) {
  std::string text = std::to_string(shape.range.x);
  if (shape.dimensions > 1)
    text += fmt::format(" x {}", shape.range.y);
  if (shape.dimensions > 2)
    text += fmt::format(" x {}", shape.range.z);
  return text;
}

[[noreturn]] void refuse(sycl::errc code, const char* what, const std::string& reason) {
  throw sycl::exception(make_error_code(code), fmt::format("{}: {}", what, reason));
}

/// Of rows and slices, \p unit being what they are made of.
void check_pitch(const char* what, const char* name, std::size_t pitch, std::size_t least, std::size_t unit,
                 const char* unit_name) {
  if (pitch < least)
    refuse(sycl::errc::invalid, what,
           fmt::format("the pitch from {0} to {0} is {1} bytes, but a {0} has {2}", name, pitch, least));
  if (pitch % unit != 0)
    refuse(
        sycl::errc::invalid, what,
        fmt::format("the pitch from {0} to {0} is {1} bytes, which is no multiple of the {2} bytes of a {3}",
                    name, pitch, unit, unit_name));
}

} // namespace

image_shape checked_image_shape(const char* what, image_shape shape) {
  const extent3& range = shape.range;
  if (range.x == 0 || range.y == 0 || range.z == 0)
    refuse(sycl::errc::invalid, what,
           fmt::format("an image has at least one pixel in each dimension, not {}", spelled(shape)));
  if (std::max({range.x, range.y, range.z}) > LARGEST_IMAGE_EXTENT)
    refuse(sycl::errc::feature_not_supported, what,
           fmt::format("{} pixels are more than the {} that an image may have in a dimension "
                       "(info::device::image2d_max_width and others); use a buffer, or several images",
                       spelled(shape), LARGEST_IMAGE_EXTENT));
  const std::size_t row = range.x * shape.pixel_bytes; // no more than 2^28
  if (shape.row_pitch == 0)
    shape.row_pitch = row;
  check_pitch(what, "row", shape.row_pitch, row, shape.pixel_bytes, "pixel");
  const std::size_t slice = checked_bytes(what, extent3{range.y, 1, 1}, shape.row_pitch);
  if (shape.slice_pitch == 0)
    shape.slice_pitch = slice;
  check_pitch(what, "slice", shape.slice_pitch, slice, shape.row_pitch, "row");
  checked_bytes(what, extent3{range.z, 1, 1}, shape.slice_pitch);
  return shape;
}

} // namespace falx

namespace sycl::detail {
namespace {

const char* name_of(image_format format) noexcept {
  switch (format) {
  case image_format::r8g8b8a8_unorm:
    return "r8g8b8a8_unorm";
  case image_format::r16g16b16a16_unorm:
    return "r16g16b16a16_unorm";
  case image_format::r8g8b8a8_sint:
    return "r8g8b8a8_sint";
  case image_format::r16g16b16a16_sint:
    return "r16g16b16a16_sint";
  case image_format::r32b32g32a32_sint:
    return "r32b32g32a32_sint";
  case image_format::r8g8b8a8_uint:
    return "r8g8b8a8_uint";
  case image_format::r16g16b16a16_uint:
    return "r16g16b16a16_uint";
  case image_format::r32b32g32a32_uint:
    return "r32b32g32a32_uint";
  case image_format::r16b16g16a16_sfloat:
    return "r16b16g16a16_sfloat";
  case image_format::r32g32b32a32_sfloat:
    return "r32g32b32a32_sfloat";
  case image_format::b8g8r8a8_unorm:
    return "b8g8r8a8_unorm";
  }
  return "of no known name";
}

pixel_kind kind_of(image_format format) noexcept {
  switch (format) {
  case image_format::r8g8b8a8_sint:
  case image_format::r16g16b16a16_sint:
  case image_format::r32b32g32a32_sint:
    return pixel_kind::signed_integer;
  case image_format::r8g8b8a8_uint:
  case image_format::r16g16b16a16_uint:
  case image_format::r32b32g32a32_uint:
    return pixel_kind::unsigned_integer;
  default:
    return pixel_kind::floating_point;
  }
}

const char* types_of(pixel_kind kind) noexcept {
  switch (kind) {
  case pixel_kind::signed_integer:
    return "sycl::int4";
  case pixel_kind::unsigned_integer:
    return "sycl::uint4";
  case pixel_kind::floating_point:
    break;
  }
  return "sycl::float4 or sycl::half4";
}

std::optional<falx::texture_description::component> components_of(image_format format) noexcept {
  switch (format) {
  case image_format::r8g8b8a8_unorm:
  case image_format::b8g8r8a8_unorm:
    return falx::texture_description::component::unorm8;
  case image_format::r16g16b16a16_unorm:
    return falx::texture_description::component::unorm16;
  case image_format::r16b16g16a16_sfloat:
    return falx::texture_description::component::half;
  case image_format::r32g32b32a32_sfloat:
    return falx::texture_description::component::single;
  default:
    return {};
  }
}

falx::texture_description::addressing addressing_of(addressing_mode mode) noexcept {
  switch (mode) {
  case addressing_mode::mirrored_repeat:
    return falx::texture_description::addressing::mirrored_repeat;
  case addressing_mode::repeat:
    return falx::texture_description::addressing::repeat;
  case addressing_mode::clamp:
    return falx::texture_description::addressing::border;
  case addressing_mode::clamp_to_edge:
  case addressing_mode::none:
    break;
  }
  return falx::texture_description::addressing::clamp_to_edge;
}

/// What a texture unit would have to do; nothing if none does it.
std::optional<falx::texture_description> described(const falx::image_shape& shape,
                                                   const image_reading& reading) noexcept {
  const auto components = components_of(reading.format);
  if (!components || shape.dimensions > 2)
    return {};
  falx::texture_description wanted;
  wanted.width = shape.range.x;
  wanted.height = shape.range.y;
  wanted.pitch = shape.row_pitch;
  wanted.components = *components;
  wanted.outside = addressing_of(reading.sampler.addressing);
  wanted.is_normalized = reading.sampler.coordinate == coordinate_normalization_mode::normalized;
  wanted.is_filtered = reading.sampler.filtering == filtering_mode::linear;
  // Units repeat pictures of normalized coordinates alone. They weigh neighbours in steps of 1/256, as finely
  // as components of 8 bits are.
  const bool repeats = wanted.outside == falx::texture_description::addressing::repeat ||
                       wanted.outside == falx::texture_description::addressing::mirrored_repeat;
  const bool is_fine = *components == falx::texture_description::component::unorm8;
  if ((repeats && !wanted.is_normalized) || (wanted.is_filtered && !is_fine))
    return {};
  return wanted;
}

} // namespace

std::uint64_t texture_of(falx::command_group& group, falx::buffer_state& image,
                         const falx::image_shape& shape, const image_reading& reading) {
  // Where the device is not chosen yet, the kernel that is made is for any.
  if (!group.is_placed() || group.device().description().unified_memory)
    return 0;
  const std::optional<falx::texture_description> wanted = described(shape, reading);
  if (!wanted)
    return 0;
  const std::lock_guard lock(image.mutex());
  void* const first = image.address(image.memory_of(group.device(), false));
  return group.device().backend().texture(first, *wanted);
}

void check_pixel_kind(const char* accessor, image_format format, pixel_kind kind) {
  if (kind_of(format) == kind)
    return;
  throw exception(
      make_error_code(errc::invalid),
      fmt::format("{}: pixels of the image's format, image_format::{}, are accessed as {}, not as {}",
                  accessor, name_of(format), types_of(kind_of(format)), types_of(kind)));
}

} // namespace sycl::detail
