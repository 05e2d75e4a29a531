// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.hpp"
#include "sycl/sampled_image.hpp"
#include "sycl/sampled_image_accessor.hpp"
#include "sycl/vec_aliases.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

/// \file
/// The CUDA backend on the fake driver: texture objects, and which images get one.

namespace {

using namespace falx;
using namespace falx::test;
using sycl::addressing_mode;
using sycl::coordinate_normalization_mode;
using sycl::filtering_mode;
using sycl::image_format;

class cuda_textures : public testing::Test {
protected:
  cuda_textures() : queue(make_gpu_queue(0, in_order())), device(queue->device().backend()) {}
  ~cuda_textures() override {
    EXPECT_TRUE(fake_driver().textures().empty());
    EXPECT_EQ(fake_driver().take_complaints(), "");
  }

  /// How many textures an accessor of the image makes.
  template <class Color, int Dimensions>
  std::size_t textures_of(image_format format, const sycl::image_sampler& sampler,
                          sycl::range<Dimensions> size, bool is_on_host = false) {
    const std::vector<unsigned char> memory(16 * size.size());
    sycl::sampled_image<Dimensions> image(memory.data(), format, sampler, size);
    std::size_t made = 0;
    auto user_queue = sycl::detail::internals::make<sycl::queue>(queue);
    user_queue.submit([&](sycl::handler& h) {
      if (is_on_host)
        (void)image.template get_access<Color, sycl::image_target::host_task>(h);
      else
        (void)image.template get_access<Color>(h);
      made = fake_driver().textures().size();
    });
    user_queue.wait();
    return made;
  }

  const handle<queue_state> queue;
  backend_device& device;
};

constexpr texture_description PICTURE{.width = 10, .height = 3, .pitch = 64};

TEST_F(cuda_textures, live_as_long_as_the_memory) {
  void* const memory = device.allocate(usm_kind::device, 1024, 0);
  const std::uint64_t first = device.texture(memory, PICTURE);
  EXPECT_NE(first, 0u);
  EXPECT_EQ(device.texture(memory, PICTURE), first);
  texture_description other = PICTURE;
  other.is_filtered = true;
  EXPECT_NE(device.texture(memory, other), first);
  EXPECT_EQ(fake_driver().textures().size(), 2u);
  device.free(usm_kind::device, memory);
}

TEST_F(cuda_textures, tell_the_driver_what_is_wanted) {
  void* const memory = device.allocate(usm_kind::device, 1024, 0);
  device.texture(memory, {.width = 10,
                          .height = 3,
                          .pitch = 64,
                          .components = texture_description::component::unorm8,
                          .outside = texture_description::addressing::mirrored_repeat,
                          .is_normalized = true,
                          .is_filtered = true});
  const fake_cuda::texture made = fake_driver().textures().begin()->second;
  EXPECT_EQ(made.resource.memory, reinterpret_cast<std::uintptr_t>(memory));
  EXPECT_EQ(made.resource.format, cuda::array_format::unsigned_8);
  EXPECT_EQ(made.resource.channels, 4u);
  EXPECT_EQ(made.resource.width, 10u);
  EXPECT_EQ(made.resource.height, 3u);
  EXPECT_EQ(made.resource.pitch_bytes, 64u);
  EXPECT_EQ(made.sampler.address[0], cuda::texture_address::mirror);
  EXPECT_EQ(made.sampler.address[1], cuda::texture_address::mirror);
  EXPECT_EQ(made.sampler.filter, cuda::texture_filter::linear);
  EXPECT_EQ(made.sampler.flags, cuda::TEXTURE_NORMALIZED_COORDINATES);
  device.free(usm_kind::device, memory);
}

TEST_F(cuda_textures, need_memory_as_the_units_want_it) {
  auto* const memory = static_cast<unsigned char*>(device.allocate(usm_kind::device, 1024, 0));
  const auto with = [](std::size_t width, std::size_t height, std::size_t pitch) {
    return texture_description{.width = width, .height = height, .pitch = pitch};
  };
  EXPECT_EQ(device.texture(memory + 64, PICTURE), 0u);
  EXPECT_EQ(device.texture(memory, with(10, 3, 40)), 0u);
  EXPECT_EQ(device.texture(memory, with(200000, 1, 800000)), 0u);
  EXPECT_EQ(device.texture(memory, with(1, 70000, 32)), 0u);
  EXPECT_NE(device.texture(memory, with(10, 1, 40)), 0u); // there is no second row
  EXPECT_EQ(fake_driver().textures().begin()->second.resource.pitch_bytes, 64u);
  device.free(usm_kind::device, memory);
}

constexpr sycl::image_sampler
sampler(filtering_mode filtering,
        coordinate_normalization_mode coordinate = coordinate_normalization_mode::normalized,
        addressing_mode addressing = addressing_mode::repeat) {
  return {addressing, coordinate, filtering};
}

TEST_F(cuda_textures, are_for_images_that_units_read_as_exactly) {
  constexpr auto nearest = sampler(filtering_mode::nearest), linear = sampler(filtering_mode::linear);
  const sycl::range<2> size(8, 4);
  EXPECT_EQ(textures_of<sycl::float4>(image_format::r8g8b8a8_unorm, linear, size), 1u);
  EXPECT_EQ(textures_of<sycl::half4>(image_format::b8g8r8a8_unorm, linear, size), 1u);
  EXPECT_EQ(textures_of<sycl::float4>(image_format::r8g8b8a8_unorm, linear, sycl::range<1>(5)), 1u);
  EXPECT_EQ(textures_of<sycl::float4>(image_format::r32g32b32a32_sfloat, nearest, size), 1u);
  EXPECT_EQ(textures_of<sycl::float4>(image_format::r16b16g16a16_sfloat, nearest, size), 1u);
  EXPECT_EQ(textures_of<sycl::float4>(image_format::r32g32b32a32_sfloat, linear, size), 0u);
  EXPECT_EQ(textures_of<sycl::float4>(image_format::r16g16b16a16_unorm, linear, size), 0u);
  EXPECT_EQ(textures_of<sycl::int4>(image_format::r8g8b8a8_sint, nearest, size), 0u);
  EXPECT_EQ(textures_of<sycl::float4>(image_format::r8g8b8a8_unorm, linear, sycl::range<3>(8, 4, 2)), 0u);
  EXPECT_EQ(textures_of<sycl::float4>(image_format::r8g8b8a8_unorm, linear, sycl::range<2>(5, 4)), 0u);
  EXPECT_EQ(textures_of<sycl::float4>(image_format::r8g8b8a8_unorm, linear, size, true), 0u);
}

TEST_F(cuda_textures, repeat_pictures_of_normalized_coordinates) {
  const auto in_pixels = [](addressing_mode mode) {
    return sampler(filtering_mode::nearest, coordinate_normalization_mode::unnormalized, mode);
  };
  const sycl::range<2> size(8, 4);
  EXPECT_EQ(textures_of<sycl::float4>(image_format::r8g8b8a8_unorm, in_pixels(addressing_mode::repeat), size),
            0u);
  EXPECT_EQ(textures_of<sycl::float4>(image_format::r8g8b8a8_unorm,
                                      in_pixels(addressing_mode::mirrored_repeat), size),
            0u);
  EXPECT_EQ(textures_of<sycl::float4>(image_format::r8g8b8a8_unorm, in_pixels(addressing_mode::clamp), size),
            1u);
  EXPECT_EQ(textures_of<sycl::float4>(image_format::r8g8b8a8_unorm, in_pixels(addressing_mode::none), size),
            1u);
}

} // namespace
