// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

// SYCL 2020 §4.7.8: image samplers, against the formulas of OpenCL C 3.0 §8.2 in double precision.

namespace {

using sycl::addressing_mode;
using sycl::coordinate_normalization_mode;
using sycl::filtering_mode;
using sycl::image_format;
using sycl::image_sampler;
using color = std::array<double, 4>;

/// Rows are as long as texture units want them.
constexpr std::array<int, 3> EXTENTS{8, 4, 3};

constexpr std::array<addressing_mode, 5> ADDRESSING{addressing_mode::mirrored_repeat, addressing_mode::repeat,
                                                    addressing_mode::clamp_to_edge, addressing_mode::clamp,
                                                    addressing_mode::none};

/// A pixel's index as a mode defines it for any integer; -1 is the border.
int index_of(long pixel, int extent, addressing_mode mode) {
  const auto modulo = [](long a, long b) { return static_cast<int>((a % b + b) % b); };
  switch (mode) {
  case addressing_mode::repeat:
    return modulo(pixel, extent);
  case addressing_mode::mirrored_repeat: {
    const int place = modulo(pixel, 2L * extent);
    return place < extent ? place : 2 * extent - 1 - place;
  }
  case addressing_mode::clamp:
    return pixel < 0 || pixel >= extent ? -1 : static_cast<int>(pixel);
  default:
    return static_cast<int>(std::clamp<long>(pixel, 0, extent - 1));
  }
}

/// The image's own colors, which tell where they are from: integers up to 255.
color color_at(const std::array<int, 3>& index) {
  const double place = index[0] + 8 * index[1] + 64 * index[2];
  return {place, 160 - place, static_cast<double>(index[0] * index[1] % 3), 255};
}

template <int Dimensions>
color reference(const std::array<float, 3>& coordinate, const image_sampler& sampler) {
  color result{};
  for (int corner = 0; corner < 1 << Dimensions; ++corner) {
    double weight = 1;
    std::array<int, 3> index{};
    bool is_border = false;
    for (int axis = 0; axis < Dimensions; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const double place = sampler.coordinate == coordinate_normalization_mode::normalized
                               ? static_cast<double>(coordinate[a]) * EXTENTS[a]
                               : static_cast<double>(coordinate[a]);
      const bool is_second = (corner >> axis & 1) != 0;
      if (sampler.filtering == filtering_mode::nearest) {
        weight *= is_second ? 0 : 1;
        index[a] = index_of(std::lround(std::floor(place)), EXTENTS[a], sampler.addressing);
      } else {
        const double first = std::floor(place - 0.5);
        const double fraction = place - 0.5 - first;
        weight *= is_second ? fraction : 1 - fraction;
        index[a] = index_of(std::lround(first) + (is_second ? 1 : 0), EXTENTS[a], sampler.addressing);
      }
      is_border = is_border || index[a] < 0;
    }
    if (is_border || weight == 0)
      continue;
    const color found = color_at(index);
    for (std::size_t i = 0; i < 4; ++i)
      result[i] += weight * found[i];
  }
  return result;
}

template <int Dimensions>
sycl::range<Dimensions> extents() {
  if constexpr (Dimensions == 1)
    return sycl::range<1>(EXTENTS[0]);
  else if constexpr (Dimensions == 2)
    return sycl::range<2>(EXTENTS[0], EXTENTS[1]);
  else
    return sycl::range<3>(EXTENTS[0], EXTENTS[1], EXTENTS[2]);
}

template <int Dimensions, class Component>
std::vector<Component> pixels() {
  std::vector<Component> result;
  for (int z = 0; z < (Dimensions > 2 ? EXTENTS[2] : 1); ++z)
    for (int y = 0; y < (Dimensions > 1 ? EXTENTS[1] : 1); ++y)
      for (int x = 0; x < EXTENTS[0]; ++x)
        for (const double component : color_at({x, y, z}))
          result.push_back(static_cast<Component>(component));
  return result;
}

/// In pixels: inside, at edges, one and many images outside. No coordinate lies where rounding decides to
/// which pixel it belongs.
std::vector<std::array<float, 3>> places() {
  std::vector<std::array<float, 3>> result;
  for (int i = 0; i < 160; ++i) {
    const auto step = static_cast<float>(i);
    result.push_back({-11.9f + 0.2f * step, 11.9f - 0.4f * step, -40.1f + 0.6f * step});
  }
  for (int i = -3; i < 9; ++i)
    result.push_back(
        {static_cast<float>(i) + 0.5f, static_cast<float>(i) + 0.5f, static_cast<float>(i) + 0.5f});
  return result;
}

template <int Dimensions>
auto as_coordinate(const std::array<float, 3>& place) {
  if constexpr (Dimensions == 1)
    return place[0];
  else if constexpr (Dimensions == 2)
    return sycl::float2(place[0], place[1]);
  else
    return sycl::float4(place[0], place[1], place[2], 1e30f); // the last one is ignored
}

/// Of floats, or of integers that stand for 0 to 1.
template <int Dimensions, class Component>
void check(const image_sampler& sampler) {
  constexpr bool is_normalized = std::is_same_v<Component, std::uint8_t>;
  constexpr float scale = is_normalized ? 255 : 1;
  const std::vector<Component> picture = pixels<Dimensions, Component>();
  std::vector<std::array<float, 3>> at = places();
  if (sampler.coordinate == coordinate_normalization_mode::normalized)
    for (auto& place : at)
      for (std::size_t axis = 0; axis < 3; ++axis)
        place[axis] /= static_cast<float>(EXTENTS[axis]);
  if (sampler.addressing == addressing_mode::none) // the program keeps inside
    at.erase(std::remove_if(at.begin(), at.end(),
                            [&](const std::array<float, 3>& place) {
                              return reference<Dimensions>(place, {addressing_mode::clamp, sampler.coordinate,
                                                                   filtering_mode::nearest}) == color{};
                            }),
             at.end());
  sycl::sampled_image<Dimensions> image(
      picture.data(), is_normalized ? image_format::r8g8b8a8_unorm : image_format::r32g32b32a32_sfloat,
      sampler, extents<Dimensions>());
  std::vector<sycl::float4> seen(at.size());
  {
    sycl::buffer<std::array<float, 3>> given(at.data(), sycl::range<1>(at.size()));
    sycl::buffer<sycl::float4> result(seen.data(), sycl::range<1>(seen.size()));
    sycl::queue().submit([&](sycl::handler& h) {
      const sycl::accessor from(given, h, sycl::read_only);
      const sycl::accessor to(result, h, sycl::write_only, sycl::no_init);
      const sycl::sampled_image_accessor<sycl::float4, Dimensions> colors(image, h);
      h.parallel_for(at.size(),
                     [=](sycl::id<1> i) { to[i] = colors.read(as_coordinate<Dimensions>(from[i])); });
    });
  }
  const auto on_host = image.template get_host_access<sycl::float4>();
  // Far from the image a coordinate has fewer bits for its fraction. Texture units, which GPUs use for pixels
  // of 8 bits, weigh with 8 bits in each dimension.
  const bool has_units = sycl::device().is_gpu() && is_normalized && Dimensions < 3;
  const bool is_exact = sampler.filtering == filtering_mode::nearest;
  const double host_tolerance = is_exact ? 1e-4 : 2e-3;
  const double tolerance = is_exact || !has_units ? host_tolerance : 1.1;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const color wanted = reference<Dimensions>(at[i], sampler);
    const sycl::float4 host_color = on_host.read(as_coordinate<Dimensions>(at[i])) * scale;
    const sycl::float4 device_color = seen[i] * scale;
    for (int c = 0; c < 4; ++c) {
      const double value = wanted[static_cast<std::size_t>(c)];
      ASSERT_NEAR(value, static_cast<double>(device_color[c]), tolerance)
          << "at " << at[i][0] << ", " << at[i][1] << ", " << at[i][2] << ", component " << c;
      ASSERT_NEAR(value, static_cast<double>(host_color[c]), host_tolerance)
          << "on the host at " << at[i][0] << ", " << at[i][1] << ", " << at[i][2] << ", component " << c;
    }
  }
}

class image_sampling : public testing::TestWithParam<addressing_mode> {
protected:
  template <int Dimensions>
  void check_all() {
    for (const auto coordinate :
         {coordinate_normalization_mode::normalized, coordinate_normalization_mode::unnormalized})
      for (const filtering_mode filtering : {filtering_mode::nearest, filtering_mode::linear}) {
        SCOPED_TRACE("coordinate " + std::to_string(static_cast<int>(coordinate)) + ", filtering " +
                     std::to_string(static_cast<int>(filtering)));
        check<Dimensions, float>({GetParam(), coordinate, filtering});
        check<Dimensions, std::uint8_t>({GetParam(), coordinate, filtering});
      }
  }
};

TEST_P(image_sampling, of_lines) {
  check_all<1>();
}
TEST_P(image_sampling, of_pictures) {
  check_all<2>();
}
TEST_P(image_sampling, of_volumes) {
  check_all<3>();
}

INSTANTIATE_TEST_SUITE_P(addressing, image_sampling, testing::ValuesIn(ADDRESSING));

template <class Color, class Place>
std::vector<Color> sampled(const void* picture, image_format format, const image_sampler& sampler,
                           sycl::range<2> size, const std::vector<Place>& at) {
  sycl::sampled_image<2> image(picture, format, sampler, size);
  std::vector<Color> seen(at.size());
  sycl::buffer<Place> given(at.data(), sycl::range<1>(at.size()));
  sycl::buffer<Color> result(seen.data(), sycl::range<1>(seen.size()));
  sycl::queue().submit([&](sycl::handler& h) {
    const sycl::accessor from(given, h, sycl::read_only);
    const sycl::accessor to(result, h, sycl::write_only, sycl::no_init);
    const auto colors = image.get_access<Color>(h);
    h.parallel_for(at.size(), [=](sycl::id<1> i) { to[i] = colors.read(from[i]); });
  });
  const sycl::host_accessor done(result, sycl::read_only);
  return std::vector<Color>(done.begin(), done.end());
}

TEST(image_filter, mixes_pixels_of_normalised_integers) {
  const std::vector<std::uint8_t> picture{0, 10, 20, 255, 100, 110, 220, 255};
  const image_sampler sampler{addressing_mode::clamp_to_edge, coordinate_normalization_mode::unnormalized,
                              filtering_mode::linear};
  const std::vector<sycl::float2> at{{0.75f, 0.5f}, {1.5f, 0.5f}, {0.0f, 9.0f}};
  const auto red_first =
      sampled<sycl::float4>(picture.data(), image_format::r8g8b8a8_unorm, sampler, {2, 1}, at);
  const auto blue_first =
      sampled<sycl::float4>(picture.data(), image_format::b8g8r8a8_unorm, sampler, {2, 1}, at);
  const auto halves = sampled<sycl::half4>(picture.data(), image_format::r8g8b8a8_unorm, sampler, {2, 1}, at);
  const float tolerance = sycl::device().is_gpu() ? 2e-3f : 1e-7f; // of texture units
  const float wanted[3][4]{{25, 35, 70, 255}, {100, 110, 220, 255}, {0, 10, 20, 255}};
  for (std::size_t i = 0; i < 3; ++i)
    for (int c = 0; c < 4; ++c) {
      EXPECT_NEAR(red_first[i][c], wanted[i][c] / 255, tolerance);
      EXPECT_NEAR(blue_first[i][c], wanted[i][c == 3 ? 3 : 2 - c] / 255, tolerance);
      EXPECT_NEAR(static_cast<float>(halves[i][c]), wanted[i][c] / 255, tolerance + 3e-4f);
    }
}

TEST(image_filter, rounds_integers) {
  const std::vector<std::int16_t> picture{0, -10, 5, 32767, 3, -13, 6, -32768};
  const image_sampler sampler{addressing_mode::clamp, coordinate_normalization_mode::unnormalized,
                              filtering_mode::linear};
  const auto seen =
      sampled<sycl::int4>(picture.data(), image_format::r16g16b16a16_sint, sampler, {2, 1},
                          std::vector<sycl::float2>{{0.75f, 0.5f}, {1.0f, 0.5f}, {0.0f, 0.5f}, {5.0f, 0.5f}});
  const std::int32_t wanted[4][4]{{1, -11, 5, 16383}, {2, -12, 6, 0}, {0, -5, 2, 16384}, {0, 0, 0, 0}};
  for (std::size_t i = 0; i < 4; ++i)
    for (int c = 0; c < 4; ++c)
      EXPECT_EQ(seen[i][c], wanted[i][c]) << i << ", " << c;
}

TEST(image_filter, integers_at_the_ends_of_their_range) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  const std::vector<std::uint32_t> picture{most, 0, 1, most, most, 0, 1, most};
  const image_sampler sampler{addressing_mode::repeat, coordinate_normalization_mode::normalized,
                              filtering_mode::linear};
  const auto seen = sampled<sycl::uint4>(picture.data(), image_format::r32b32g32a32_uint, sampler, {2, 1},
                                         std::vector<sycl::float2>{{0.3f, 0.5f}});
  EXPECT_EQ(seen[0][0], most);
  EXPECT_EQ(seen[0][1], 0u);
  EXPECT_EQ(seen[0][2], 1u);
}

/// Coordinates that are no numbers, or too large for any integer, are read from the image or its border.
TEST(image_filter, any_coordinate_is_safe) {
  const std::vector<sycl::float4> picture(15, sycl::float4(1, 2, 3, 4));
  const float infinity = std::numeric_limits<float>::infinity(),
              nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<sycl::float2> at;
  for (const float x : {infinity, -infinity, nan, 3e38f, -3e38f, 1e10f, -1e-30f})
    for (const float y : {0.5f, infinity, nan, -3e38f})
      at.emplace_back(x, y);
  for (const addressing_mode addressing : ADDRESSING)
    for (const filtering_mode filtering : {filtering_mode::nearest, filtering_mode::linear}) {
      const auto seen = sampled<sycl::float4>(
          picture.data(), image_format::r32g32b32a32_sfloat,
          {addressing, coordinate_normalization_mode::normalized, filtering}, {5, 3}, at);
      for (const sycl::float4& each : seen) {
        EXPECT_GE(each[3], 0);
        EXPECT_LE(each[3], 4);
        if (addressing != addressing_mode::clamp) {
          EXPECT_EQ(each[0], 1);
          EXPECT_EQ(each[3], 4);
        }
      }
    }
}

} // namespace
