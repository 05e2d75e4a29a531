// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "falx/image.hpp"
#include "falx/specialize.hpp"
#include "sycl/detail/image_pixel.hpp"
#include "sycl/image_format.hpp"
#include "sycl/image_sampler.hpp"

#include <cstddef>
#include <cstdint>

namespace falx {

class buffer_state;
class command_group;

} // namespace falx

/// \file
/// What an image's accessor does with the image's memory: where a pixel is, and, for sampled images, which
/// pixels a coordinate means and how they are mixed. The formulas are OpenCL's (OpenCL C 3.0 §8.2), of which
/// SYCL 2020 §4.7.8 names the modes. Host and device: both give the same numbers.

namespace sycl::detail {

/// What kernels are specialised on, so that a read has no switches.
struct FALX_SPECIALIZE image_reading {
  image_format format{};
  image_sampler sampler{};
  /// Pixels begin at multiples of their size.
  bool is_aligned = true;
  /// The device's own units sample the image.
  bool has_texture = false;
};

/// The texture by which kernels of a command group sample an image of one or two dimensions; 0 where they do
/// it themselves: on devices without such units, on which pixels and filters the units do not have or have
/// less exactly, and on memory that is not laid out for them. The command group requires the image.
std::uint64_t texture_of(falx::command_group& group, falx::buffer_state& image,
                         const falx::image_shape& shape, const image_reading& reading);

/// The pixels along one axis that a coordinate lies between, possibly outside of the image, and how much the
/// second one counts.
struct pixel_neighbours {
  int first, second;
  float weight;
};

/// Where a coordinate is along an axis of \p extent pixels: in pixels, brought into the image by the modes
/// that repeat it.
inline float pixel_coordinate(float coordinate, int extent, const image_sampler& sampler) noexcept {
  const float pixels = static_cast<float>(extent);
  const bool is_normalized = sampler.coordinate == coordinate_normalization_mode::normalized;
  if (sampler.addressing != addressing_mode::repeat && sampler.addressing != addressing_mode::mirrored_repeat)
    return is_normalized ? coordinate * pixels : coordinate;
  const float images = is_normalized ? coordinate : coordinate / pixels;
  if (sampler.addressing == addressing_mode::repeat)
    return (images - __builtin_elementwise_floor(images)) * pixels;
  return __builtin_elementwise_abs(images - 2.0f * __builtin_elementwise_rint(0.5f * images)) * pixels;
}

/// Brings pixels next to the image into it, unless there is a border.
inline int addressed(int index, int extent, addressing_mode mode) noexcept {
  if (mode == addressing_mode::clamp)
    return index;
  if (mode == addressing_mode::repeat)
    return index < 0 ? index + extent : index >= extent ? index - extent : index;
  return index < 0 ? 0 : index >= extent ? extent - 1 : index;
}

// Whatever the coordinate, infinite or no number, its pixels are those of the image or next to it.
inline int nearest_pixel(float coordinate, int extent, const image_sampler& sampler) noexcept {
  const float low = sampler.addressing == addressing_mode::clamp ? -1.0f : 0.0f;
  const float place = limited(pixel_coordinate(coordinate, extent, sampler), low, static_cast<float>(extent));
  return addressed(static_cast<int>(__builtin_elementwise_floor(place)), extent, sampler.addressing);
}
inline pixel_neighbours nearest_pixels(float coordinate, int extent, const image_sampler& sampler) noexcept {
  const bool has_border = sampler.addressing == addressing_mode::clamp;
  const float pixels = static_cast<float>(extent);
  const float place = limited(pixel_coordinate(coordinate, extent, sampler) - 0.5f,
                              has_border ? -2.0f : -0.5f, has_border ? pixels : pixels - 0.5f);
  const float first = __builtin_elementwise_floor(place);
  const int index = static_cast<int>(first);
  return {addressed(index, extent, sampler.addressing), addressed(index + 1, extent, sampler.addressing),
          place - first};
}

/// The place of an image's pixels behind the address of the first one. Axis 0 is x, the fastest.
template <int Dimensions>
class image_view {
public:
  image_view() noexcept = default;
  image_view(const falx::image_shape& shape, const image_reading& reading) noexcept : reading_(reading) {
    const std::size_t extents[]{shape.range.x, shape.range.y, shape.range.z};
    const std::size_t pitches[]{shape.row_pitch, shape.slice_pitch};
    for (int axis = 0; axis < Dimensions; ++axis)
      extent_[axis] = static_cast<int>(extents[axis]);
    for (int axis = 1; axis < Dimensions; ++axis)
      pitch_[axis - 1] = pitches[axis - 1];
  }

  /// Whether sample_texture takes the place of sample.
  bool has_texture() const noexcept { return reading_.has_texture; }

  std::size_t size() const noexcept {
    std::size_t pixels = 1;
    for (const int extent : extent_)
      pixels *= static_cast<std::size_t>(extent);
    return pixels;
  }

  template <class T>
  pixel<T> read(const void* first, const int (&position)[Dimensions]) const noexcept {
    return finish_pixel(stored<T>(first, offset_of(position)), reading_.format);
  }
  template <class T>
  void write(void* first, const int (&position)[Dimensions], const pixel<T>& color) const noexcept {
    void* const address = static_cast<char*>(first) + offset_of(position);
    if (reading_.is_aligned)
      write_pixel<true>(address, reading_.format, color);
    else
      write_pixel<false>(address, reading_.format, color);
  }

  template <class T>
  pixel<T> sample(const void* first, const float (&coordinate)[Dimensions]) const noexcept {
    if (reading_.sampler.filtering == filtering_mode::nearest) {
      int position[Dimensions];
      for (int axis = 0; axis < Dimensions; ++axis) {
        position[axis] = nearest_pixel(coordinate[axis], extent_[axis], reading_.sampler);
        if (is_border(axis, position[axis]))
          return {};
      }
      return read<T>(first, position);
    }
    pixel_neighbours neighbours[Dimensions];
    for (int axis = 0; axis < Dimensions; ++axis)
      neighbours[axis] = nearest_pixels(coordinate[axis], extent_[axis], reading_.sampler);
    const pixel<float> mixed = mix<T, Dimensions - 1>(first, neighbours, 0);
    pixel<T> result;
    for (int i = 0; i < 4; ++i)
      if constexpr (kind_of_pixel<T> == pixel_kind::floating_point)
        result.component[i] = mixed.component[i];
      else
        result.component[i] = rounded<T>(mixed.component[i]);
    return finish_pixel(result, reading_.format);
  }

  /// Components come as fractions, in the order of the memory.
  pixel<float> sample_texture(std::uint64_t texture, const float (&coordinate)[Dimensions]) const noexcept {
    // The middle of a line's only row, normalized or not.
    const falx::texture_color found =
        __falx_texture_color(texture, coordinate[0], Dimensions > 1 ? coordinate[Dimensions - 1] : 0.5f);
    if (reading_.format == image_format::b8g8r8a8_unorm)
      return {{found[2], found[1], found[0], found[3]}};
    return {{found[0], found[1], found[2], found[3]}};
  }

private:
  /// Bytes from one pixel, row or slice to the next.
  std::size_t pitch(int axis) const noexcept {
    return axis == 0 ? pixel_bytes(reading_.format) : pitch_[axis - 1];
  }
  std::size_t offset_of(const int (&position)[Dimensions]) const noexcept {
    std::size_t offset = 0;
    for (int axis = 0; axis < Dimensions; ++axis)
      offset += static_cast<std::size_t>(position[axis]) * pitch(axis);
    return offset;
  }
  bool is_border(int axis, int index) const noexcept {
    return reading_.sampler.addressing == addressing_mode::clamp &&
           static_cast<unsigned>(index) >= static_cast<unsigned>(extent_[axis]);
  }
  template <class T>
  pixel<T> stored(const void* first, std::size_t offset) const noexcept {
    const void* const address = static_cast<const char*>(first) + offset;
    return reading_.is_aligned ? read_stored<true, T>(address, reading_.format)
                               : read_stored<false, T>(address, reading_.format);
  }

  /// Linear filtering along \p Axis and those below, of what lies at \p offset on the axes above. In loops,
  /// which the JIT unrolls: before it knows the format, the code for all of them is there once and not eight
  /// times.
  template <class T, int Axis>
  pixel<float> mix(const void* first, const pixel_neighbours (&neighbours)[Dimensions],
                   std::size_t offset) const noexcept {
    pixel<float> result{};
    for (int side = 0; side < 2; ++side) {
      const int index = side == 0 ? neighbours[Axis].first : neighbours[Axis].second;
      const pixel<float> found = along<T, Axis>(first, neighbours, index, offset);
      for (int i = 0; i < 4; ++i) { // of two that are the same, exactly that
        const float mixed =
            result.component[i] + neighbours[Axis].weight * (found.component[i] - result.component[i]);
        result.component[i] = side == 0 ? found.component[i] : mixed;
      }
    }
    return result;
  }
  template <class T, int Axis>
  pixel<float> along(const void* first, const pixel_neighbours (&neighbours)[Dimensions], int index,
                     std::size_t offset) const noexcept {
    if (is_border(Axis, index))
      return {};
    offset += static_cast<std::size_t>(index) * pitch(Axis);
    if constexpr (Axis > 0) {
      return mix<T, Axis - 1>(first, neighbours, offset);
    } else {
      const pixel<T> found = stored<T>(first, offset);
      pixel<float> result;
      for (int i = 0; i < 4; ++i)
        result.component[i] = static_cast<float>(found.component[i]);
      return result;
    }
  }

  /// In one dimension without meaning.
  std::size_t pitch_[Dimensions == 1 ? 1 : Dimensions - 1]{};
  int extent_[Dimensions]{};
  image_reading reading_;
};

} // namespace sycl::detail
