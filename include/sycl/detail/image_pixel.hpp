// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/bit_cast.hpp"
#include "sycl/half.hpp"
#include "sycl/image_format.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

/// \file
/// Pixels in memory and in kernels. Host and device.

namespace sycl::detail {

/// The components of a pixel, red first.
template <class T>
struct pixel {
  T component[4];
};

template <class T>
inline constexpr pixel_kind kind_of_pixel = std::is_same_v<T, float>          ? pixel_kind::floating_point
                                            : std::is_same_v<T, std::int32_t> ? pixel_kind::signed_integer
                                                                              : pixel_kind::unsigned_integer;

/// Host memory that an image is made of may hold objects of any type.
using pixel_word = std::uint32_t __attribute__((may_alias));

/// A pixel in memory, in words, so that devices read and write it at once. Little-endian, as all devices are.
template <int Words, bool IsAligned>
struct alignas(4 * Words) stored_pixel {
  pixel_word word[Words];
};
template <int Words>
struct __attribute__((packed)) stored_pixel<Words, false> {
  pixel_word word[Words];
};

/// Components as they are in memory, not yet divided nor in order.
template <class Component, bool IsAligned, class T>
pixel<T> unpack(const void* address) noexcept {
  constexpr unsigned bits = 8 * sizeof(Component);
  const auto stored = *static_cast<const stored_pixel<sizeof(Component), IsAligned>*>(address);
  pixel<T> result;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t word = stored.word[i * bits / 32] >> i * bits % 32;
    if constexpr (std::is_integral_v<Component>)
      result.component[i] = static_cast<T>(static_cast<Component>(word));
    else if constexpr (bits == 16)
      result.component[i] = sycl::bit_cast<half>(static_cast<std::uint16_t>(word));
    else
      result.component[i] = sycl::bit_cast<T>(word);
  }
  return result;
}

/// \p representation gives the bits of a component, the others being 0.
template <int Bytes, bool IsAligned, class Representation>
void pack(void* address, Representation representation) noexcept {
  constexpr unsigned bits = 8 * Bytes;
  stored_pixel<Bytes, IsAligned> stored{};
  for (unsigned i = 0; i < 4; ++i)
    stored.word[i * bits / 32] |= representation(i) << i * bits % 32;
  *static_cast<stored_pixel<Bytes, IsAligned>*>(address) = stored;
}

/// \p low for what is no number.
constexpr float limited(float value, float low, float high) noexcept {
  return value > low ? (value < high ? value : high) : low;
}
/// The nearest number that a \p To can be, the even one of two.
template <class To>
To rounded(float value) noexcept {
  constexpr To low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
  if (value >= static_cast<float>(high)) // which may be 1 more than high
    return high;
  return static_cast<To>(
      __builtin_elementwise_rint(limited(value, static_cast<float>(low), static_cast<float>(high))));
}

template <class Component, bool IsAligned, class T>
void pack_integers(void* address, const pixel<T>& color) noexcept {
  constexpr T low = std::numeric_limits<Component>::min(), high = std::numeric_limits<Component>::max();
  pack<sizeof(Component), IsAligned>(address, [&](unsigned i) {
    const T value = color.component[i];
    const T limited = value < low ? low : value > high ? high : value;
    return static_cast<std::uint32_t>(static_cast<std::make_unsigned_t<Component>>(limited));
  });
}
template <class Component, bool IsAligned, bool IsBlueFirst = false>
void pack_normalized(void* address, const pixel<float>& color) noexcept {
  constexpr float largest = std::numeric_limits<Component>::max();
  pack<sizeof(Component), IsAligned>(address, [&](unsigned i) -> std::uint32_t {
    return rounded<Component>(color.component[IsBlueFirst && i < 3 ? 2 - i : i] * largest);
  });
}

/// Reads a pixel as it is stored: finish_pixel makes of it what the format means. Between the two stands a
/// filter, which so has fewer divisions behind it than pixels before it.
template <bool IsAligned, class T>
pixel<T> read_stored(const void* address, image_format format) noexcept {
  if constexpr (kind_of_pixel<T> == pixel_kind::floating_point) {
    switch (format) {
    case image_format::r16g16b16a16_unorm:
      return unpack<std::uint16_t, IsAligned, T>(address);
    case image_format::r16b16g16a16_sfloat:
      return unpack<half, IsAligned, T>(address);
    case image_format::r32g32b32a32_sfloat:
      return unpack<float, IsAligned, T>(address);
    default:
      return unpack<std::uint8_t, IsAligned, T>(address);
    }
  } else {
    constexpr bool is_signed = std::is_signed_v<T>;
    switch (pixel_bytes(format)) {
    case 4:
      return unpack<std::conditional_t<is_signed, std::int8_t, std::uint8_t>, IsAligned, T>(address);
    case 8:
      return unpack<std::conditional_t<is_signed, std::int16_t, std::uint16_t>, IsAligned, T>(address);
    default:
      return unpack<T, IsAligned, T>(address);
    }
  }
}

template <class T>
pixel<T> finish_pixel(const pixel<T>& stored, [[maybe_unused]] image_format format) noexcept {
  if constexpr (kind_of_pixel<T> == pixel_kind::floating_point) {
    const auto [r, g, b, a] = stored.component;
    switch (format) {
    case image_format::r8g8b8a8_unorm:
      return {{r / 255, g / 255, b / 255, a / 255}};
    case image_format::b8g8r8a8_unorm:
      return {{b / 255, g / 255, r / 255, a / 255}};
    case image_format::r16g16b16a16_unorm:
      return {{r / 65535, g / 65535, b / 65535, a / 65535}};
    default:
      break;
    }
  }
  return stored;
}

/// What does not fit becomes the nearest number that does, as in OpenCL's write_image.
template <bool IsAligned, class T>
void write_pixel(void* address, image_format format, const pixel<T>& color) noexcept {
  if constexpr (kind_of_pixel<T> == pixel_kind::floating_point) {
    switch (format) {
    case image_format::r8g8b8a8_unorm:
      return pack_normalized<std::uint8_t, IsAligned>(address, color);
    case image_format::b8g8r8a8_unorm:
      return pack_normalized<std::uint8_t, IsAligned, true>(address, color);
    case image_format::r16g16b16a16_unorm:
      return pack_normalized<std::uint16_t, IsAligned>(address, color);
    case image_format::r16b16g16a16_sfloat:
      return pack<2, IsAligned>(address, [&](unsigned i) -> std::uint32_t {
        return sycl::bit_cast<std::uint16_t>(half(color.component[i]));
      });
    default:
      return pack<4, IsAligned>(
          address, [&](unsigned i) { return sycl::bit_cast<std::uint32_t>(color.component[i]); });
    }
  } else {
    constexpr bool is_signed = std::is_signed_v<T>;
    switch (pixel_bytes(format)) {
    case 4:
      return pack_integers<std::conditional_t<is_signed, std::int8_t, std::uint8_t>, IsAligned>(address,
                                                                                                color);
    case 8:
      return pack_integers<std::conditional_t<is_signed, std::int16_t, std::uint16_t>, IsAligned>(address,
                                                                                                  color);
    default:
      return pack_integers<T, IsAligned>(address, color);
    }
  }
}

} // namespace sycl::detail
