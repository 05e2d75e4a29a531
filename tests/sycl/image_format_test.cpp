// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

// SYCL 2020 §4.7.3.1: image formats, between the bytes in memory and the four components that kernels see.

namespace {

using sycl::access_mode;
using sycl::image_format;

constexpr std::size_t PIXELS = 301;

/// Random bytes, with pixels of all zeros and all ones.
std::vector<std::uint8_t> random_bytes(std::size_t count) {
  std::mt19937 random(7);
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t& byte : bytes)
    byte = static_cast<std::uint8_t>(random());
  std::fill_n(bytes.begin(), 16, std::uint8_t(0));
  std::fill_n(bytes.begin() + 16, 16, std::uint8_t(255));
  return bytes;
}

/// What the device reads, and what the host does.
template <class Color>
std::array<std::vector<Color>, 2> colors_of(std::vector<std::uint8_t>& bytes, image_format format) {
  std::array<std::vector<Color>, 2> colors{std::vector<Color>(PIXELS), std::vector<Color>(PIXELS)};
  sycl::unsampled_image<1> image(bytes.data(), format, sycl::range<1>(PIXELS));
  {
    sycl::buffer<Color> seen(colors[0].data(), sycl::range<1>(PIXELS));
    sycl::queue().submit([&](sycl::handler& h) {
      const sycl::unsampled_image_accessor<Color, 1, access_mode::read> from(image, h);
      const sycl::accessor to(seen, h, sycl::write_only, sycl::no_init);
      h.parallel_for(PIXELS, [=](sycl::id<1> i) { to[i] = from.read(static_cast<int>(i[0])); });
    });
  }
  const auto from = image.template get_host_access<const Color>();
  for (std::size_t i = 0; i < PIXELS; ++i)
    colors[1][i] = from.read(static_cast<int>(i));
  return colors;
}

/// The bytes that the device makes of the colors, and those that the host makes.
template <class Color>
std::array<std::vector<std::uint8_t>, 2> bytes_of(const std::vector<Color>& colors, image_format format,
                                                  std::size_t bytes) {
  std::array<std::vector<std::uint8_t>, 2> result{std::vector<std::uint8_t>(bytes),
                                                  std::vector<std::uint8_t>(bytes)};
  const int count = static_cast<int>(colors.size());
  {
    sycl::buffer<Color> given(colors.data(), sycl::range<1>(colors.size()));
    sycl::unsampled_image<1> image(result[0].data(), format, sycl::range<1>(colors.size()));
    sycl::queue().submit([&](sycl::handler& h) {
      const sycl::accessor from(given, h, sycl::read_only);
      const sycl::unsampled_image_accessor<Color, 1, access_mode::write> to(image, h, sycl::no_init);
      h.parallel_for(colors.size(), [=](sycl::id<1> i) { to.write(static_cast<int>(i[0]), from[i]); });
    });
  }
  sycl::unsampled_image<1> image(result[1].data(), format, sycl::range<1>(colors.size()));
  const auto to = image.template get_host_access<Color, access_mode::write>();
  for (int i = 0; i < count; ++i)
    to.write(i, colors[static_cast<std::size_t>(i)]);
  return result;
}

template <class Component>
std::array<Component, 4> components_at(const std::vector<std::uint8_t>& bytes, std::size_t pixel) {
  std::array<Component, 4> components;
  std::memcpy(components.data(), bytes.data() + pixel * sizeof(components), sizeof(components));
  return components;
}

/// \p expected says what a component is in a kernel.
template <class Component, class Color, class Expected>
void check_reading(image_format format, std::array<int, 4> order, const Expected& expected) {
  std::vector<std::uint8_t> bytes = random_bytes(PIXELS * 4 * sizeof(Component));
  for (const std::vector<Color>& colors : colors_of<Color>(bytes, format))
    for (std::size_t i = 0; i < PIXELS; ++i) {
      const auto stored = components_at<Component>(bytes, i);
      for (int c = 0; c < 4; ++c) {
        const auto wanted = expected(stored[static_cast<std::size_t>(order[static_cast<std::size_t>(c)])]);
        if (wanted == wanted) // payloads of NaN are not told apart
          ASSERT_EQ(colors[i][c], wanted) << "pixel " << i << ", component " << c;
        else
          ASSERT_TRUE(std::isnan(static_cast<float>(colors[i][c]))) << "pixel " << i << ", component " << c;
      }
    }
}

constexpr std::array<int, 4> IN_ORDER{0, 1, 2, 3}, BLUE_FIRST{2, 1, 0, 3};

TEST(image_format, normalized_components_are_fractions) {
  const auto eighth = [](std::uint8_t value) { return static_cast<float>(value / 255.0); };
  const auto sixteenth = [](std::uint16_t value) { return static_cast<float>(value / 65535.0); };
  check_reading<std::uint8_t, sycl::float4>(image_format::r8g8b8a8_unorm, IN_ORDER, eighth);
  check_reading<std::uint8_t, sycl::float4>(image_format::b8g8r8a8_unorm, BLUE_FIRST, eighth);
  check_reading<std::uint16_t, sycl::float4>(image_format::r16g16b16a16_unorm, IN_ORDER, sixteenth);
  check_reading<std::uint8_t, sycl::half4>(image_format::r8g8b8a8_unorm, IN_ORDER,
                                           [&](std::uint8_t value) { return sycl::half(eighth(value)); });
}

TEST(image_format, floats_are_themselves) {
  const auto same = [](auto value) { return static_cast<float>(value); };
  check_reading<sycl::half, sycl::float4>(image_format::r16b16g16a16_sfloat, IN_ORDER, same);
  check_reading<sycl::half, sycl::half4>(image_format::r16b16g16a16_sfloat, IN_ORDER,
                                         [](sycl::half value) { return value; });
  check_reading<float, sycl::float4>(image_format::r32g32b32a32_sfloat, IN_ORDER, same);
}

TEST(image_format, integers_keep_their_sign) {
  const auto is_int = [](auto value) { return static_cast<std::int32_t>(value); };
  const auto is_uint = [](auto value) { return static_cast<std::uint32_t>(value); };
  check_reading<std::int8_t, sycl::int4>(image_format::r8g8b8a8_sint, IN_ORDER, is_int);
  check_reading<std::int16_t, sycl::int4>(image_format::r16g16b16a16_sint, IN_ORDER, is_int);
  check_reading<std::int32_t, sycl::int4>(image_format::r32b32g32a32_sint, IN_ORDER, is_int);
  check_reading<std::uint8_t, sycl::uint4>(image_format::r8g8b8a8_uint, IN_ORDER, is_uint);
  check_reading<std::uint16_t, sycl::uint4>(image_format::r16g16b16a16_uint, IN_ORDER, is_uint);
  check_reading<std::uint32_t, sycl::uint4>(image_format::r32b32g32a32_uint, IN_ORDER, is_uint);
}

/// \p expected says how a component is stored.
template <class Component, class Color, class Expected>
void check_writing(image_format format, std::array<int, 4> order, const std::vector<Color>& colors,
                   const Expected& expected) {
  for (const std::vector<std::uint8_t>& bytes :
       bytes_of(colors, format, colors.size() * 4 * sizeof(Component)))
    for (std::size_t i = 0; i < colors.size(); ++i) {
      const auto stored = components_at<Component>(bytes, i);
      for (int c = 0; c < 4; ++c)
        ASSERT_EQ(stored[static_cast<std::size_t>(order[static_cast<std::size_t>(c)])],
                  expected(colors[i][c]))
            << "pixel " << i << ", component " << c << ", of " << static_cast<double>(colors[i][c]);
    }
}

std::vector<sycl::float4> some_floats() {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> value(-0.2f, 1.2f);
  std::vector<sycl::float4> colors;
  const float infinity = std::numeric_limits<float>::infinity();
  colors.emplace_back(infinity, -infinity, 1e-7f, 0.99999994f);
  colors.emplace_back(0.5f / 255, 1.5f / 255, 2.5f / 255, 254.5f / 255); // halves go to even numbers
  colors.emplace_back(1e9f, -1e9f, 65504.0f, 0.0f);
  for (int i = 0; i < 300; ++i)
    colors.emplace_back(value(random), value(random), value(random), value(random));
  return colors;
}

TEST(image_format, writing_rounds_to_the_nearest_that_there_is) {
  const auto normalized = [](float value, float largest) {
    return std::nearbyint(std::fmax(0.0f, std::fmin(1.0f, value)) * largest);
  };
  const auto eighth = [&](float value) { return static_cast<std::uint8_t>(normalized(value, 255)); };
  const auto colors = some_floats();
  check_writing<std::uint8_t>(image_format::r8g8b8a8_unorm, IN_ORDER, colors, eighth);
  check_writing<std::uint8_t>(image_format::b8g8r8a8_unorm, BLUE_FIRST, colors, eighth);
  check_writing<std::uint16_t>(image_format::r16g16b16a16_unorm, IN_ORDER, colors, [&](float value) {
    return static_cast<std::uint16_t>(normalized(value, 65535));
  });
  check_writing<sycl::half>(image_format::r16b16g16a16_sfloat, IN_ORDER, colors,
                            [](float value) { return sycl::half(value); });
  check_writing<float>(image_format::r32g32b32a32_sfloat, IN_ORDER, colors,
                       [](float value) { return value; });
  const std::vector<sycl::half4> halves(
      3, sycl::half4(sycl::half(0.25f), sycl::half(-1), sycl::half(1), sycl::half(9)));
  check_writing<std::uint8_t>(image_format::r8g8b8a8_unorm, IN_ORDER, halves, eighth);
  check_writing<sycl::half>(image_format::r16b16g16a16_sfloat, IN_ORDER, halves,
                            [](sycl::half value) { return value; });
}

TEST(image_format, nan_is_stored_as_zero_where_there_is_none) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto& bytes :
       bytes_of(std::vector<sycl::float4>{{nan, 1.0f, nan, 0.2f}}, image_format::r8g8b8a8_unorm, 4))
    EXPECT_EQ(bytes, (std::vector<std::uint8_t>{0, 255, 0, 51}));
}

template <class Component, class Color>
void check_saturation(image_format format) {
  using element = typename Color::element_type;
  constexpr element low = std::numeric_limits<Component>::min(), high = std::numeric_limits<Component>::max();
  std::vector<Color> colors;
  std::mt19937 random(5);
  colors.emplace_back(std::numeric_limits<element>::min(), std::numeric_limits<element>::max(), low, high);
  for (int i = 0; i < 100; ++i)
    colors.emplace_back(static_cast<element>(random()), static_cast<element>(random() >> 16),
                        static_cast<element>(random() >> 24), static_cast<element>(i));
  check_writing<Component>(format, IN_ORDER, colors, [](element value) {
    return static_cast<Component>(value < low ? low : value > high ? high : value);
  });
}

TEST(image_format, integers_that_do_not_fit_saturate) {
  check_saturation<std::int8_t, sycl::int4>(image_format::r8g8b8a8_sint);
  check_saturation<std::int16_t, sycl::int4>(image_format::r16g16b16a16_sint);
  check_saturation<std::int32_t, sycl::int4>(image_format::r32b32g32a32_sint);
  check_saturation<std::uint8_t, sycl::uint4>(image_format::r8g8b8a8_uint);
  check_saturation<std::uint16_t, sycl::uint4>(image_format::r16g16b16a16_uint);
  check_saturation<std::uint32_t, sycl::uint4>(image_format::r32b32g32a32_uint);
}

} // namespace
