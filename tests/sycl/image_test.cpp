// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../thrown_code.hpp"

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

// SYCL 2020 §4.7.3: images, §4.7.6.14 and §4.7.6.15: their accessors.

namespace {

using sycl::access_mode;
using sycl::image_format;
using sycl::image_target;

constexpr sycl::image_sampler NEAREST{sycl::addressing_mode::clamp_to_edge,
                                      sycl::coordinate_normalization_mode::unnormalized,
                                      sycl::filtering_mode::nearest};

static_assert(sycl::is_property_of_v<sycl::property::image::use_mutex, sycl::sampled_image<>>);
static_assert(!sycl::is_property_of_v<sycl::property::buffer::use_mutex, sycl::sampled_image<>>);
static_assert(std::is_same_v<decltype(sycl::sampled_image(nullptr, image_format::r8g8b8a8_unorm, NEAREST,
                                                          sycl::range<2>(1, 1))),
                             sycl::sampled_image<2>>);
static_assert(std::is_same_v<sycl::image_allocator::value_type, std::byte>);

template <class Color, access_mode Mode>
using device_accessor = sycl::unsampled_image_accessor<Color, 2, Mode>;
static_assert(std::is_convertible_v<device_accessor<sycl::int4, access_mode::read>,
                                    device_accessor<const sycl::int4, access_mode::read>>);
static_assert(std::is_convertible_v<device_accessor<const sycl::int4, access_mode::read>,
                                    device_accessor<sycl::int4, access_mode::read>>);
static_assert(std::is_convertible_v<sycl::sampled_image_accessor<sycl::int4, 1>,
                                    sycl::sampled_image_accessor<const sycl::int4, 1>>);
static_assert(std::is_same_v<device_accessor<sycl::int4, access_mode::read>::value_type, const sycl::int4>);
static_assert(std::is_same_v<device_accessor<sycl::int4, access_mode::write>::value_type, sycl::int4>);
static_assert(sycl::is_device_copyable_v<device_accessor<sycl::int4, access_mode::write>>);

template <class Accessor, class = void>
constexpr bool can_read = false;
template <class Accessor>
constexpr bool can_read<Accessor, std::void_t<decltype(std::declval<Accessor&>().read(sycl::int2()))>> = true;
template <class Accessor, class = void>
constexpr bool can_write = false;
template <class Accessor>
constexpr bool
    can_write<Accessor, std::void_t<decltype(std::declval<Accessor&>().write(sycl::int2(), sycl::int4()))>> =
        true;
static_assert(can_read<device_accessor<sycl::int4, access_mode::read>> &&
              !can_write<device_accessor<sycl::int4, access_mode::read>>);
static_assert(!can_read<device_accessor<sycl::int4, access_mode::write>> &&
              can_write<device_accessor<sycl::int4, access_mode::write>>);
static_assert(can_read<sycl::host_unsampled_image_accessor<sycl::int4, 2>> &&
              can_write<sycl::host_unsampled_image_accessor<sycl::int4, 2>>);

/// Writes (x, y, z, 7) to every pixel.
template <int Dimensions>
sycl::event write_places(sycl::queue& q, sycl::unsampled_image<Dimensions>& image,
                         const sycl::property_list& properties = {}) {
  return q.submit([&](sycl::handler& h) {
    const sycl::unsampled_image_accessor<sycl::int4, Dimensions, access_mode::write> to(image, h, properties);
    h.parallel_for(image.get_range(), [=](sycl::id<Dimensions> i) {
      const auto axis = [&](int d) { return d < Dimensions ? static_cast<int>(i[d]) : 0; };
      const sycl::int4 color(axis(0), axis(1), axis(2), 7);
      if constexpr (Dimensions == 1)
        to.write(axis(0), color);
      else if constexpr (Dimensions == 2)
        to.write(sycl::int2(axis(0), axis(1)), color);
      else
        to.write(sycl::int4(axis(0), axis(1), axis(2), -5), color);
    });
  });
}

TEST(image, tells_its_sizes) {
  const sycl::unsampled_image<3> volume(image_format::r16g16b16a16_uint, sycl::range<3>(5, 4, 3));
  EXPECT_EQ(volume.get_range(), sycl::range<3>(5, 4, 3));
  EXPECT_EQ(volume.get_pitch(), sycl::range<2>(40, 160));
  EXPECT_EQ(volume.size(), 60u);
  EXPECT_EQ(volume.byte_size(), 480u);
  const sycl::unsampled_image<2> padded(image_format::r8g8b8a8_uint, sycl::range<2>(5, 4),
                                        sycl::range<1>(32));
  EXPECT_EQ(padded.get_pitch(), sycl::range<1>(32));
  EXPECT_EQ(padded.size(), 20u);
  EXPECT_EQ(padded.byte_size(), 128u);
  const sycl::sampled_image<1> line(nullptr, image_format::r32g32b32a32_sfloat, NEAREST, sycl::range<1>(9));
  EXPECT_EQ(line.byte_size(), 144u);
}

TEST(image, the_first_extent_is_the_width) {
  std::vector<std::int32_t> memory(4 * 60);
  {
    sycl::unsampled_image<3> image(memory.data(), image_format::r32b32g32a32_sint, sycl::range<3>(5, 4, 3));
    sycl::queue q;
    write_places(q, image);
  }
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 5; ++x) {
        const std::int32_t* const pixel = memory.data() + 4 * (x + 5 * (y + 4 * z));
        EXPECT_EQ(std::vector<std::int32_t>(pixel, pixel + 4), (std::vector<std::int32_t>{x, y, z, 7}));
      }
}

TEST(image, gaps_of_the_pitch_stay_as_they_are) {
  std::vector<std::int16_t> memory(6 * 4 * 5 * 2, -1); // rows of 6 pixels, slices of 5 rows
  {
    sycl::unsampled_image<3> image(memory.data(), image_format::r16g16b16a16_sint, sycl::range<3>(5, 3, 2),
                                   sycl::range<2>(48, 240));
    sycl::queue q;
    write_places(q, image, {sycl::no_init});
    const auto seen = image.get_host_access<const sycl::int4>();
    EXPECT_EQ(seen.read(sycl::int4(4, 2, 1, 0))[1], 2);
  }
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 6; ++x) {
        const std::int16_t* const pixel = memory.data() + 4 * (x + 6 * (y + 5 * z));
        const bool is_gap = x == 5 || y >= 3;
        EXPECT_EQ(pixel[0], is_gap ? -1 : x);
        EXPECT_EQ(pixel[2], is_gap ? -1 : z);
      }
}

TEST(image, memory_may_begin_anywhere) {
  std::vector<std::uint8_t> memory(1 + 16 * 8);
  std::uint8_t* const odd = memory.data() + 1;
  {
    sycl::unsampled_image<1> image(odd, image_format::r32b32g32a32_sint, sycl::range<1>(8),
                                   sycl::property::image::use_host_ptr());
    sycl::queue q;
    write_places(q, image);
    q.submit([&](sycl::handler& h) {
      const auto a = image.get_access<sycl::int4>(h);
      h.parallel_for(8, [=](sycl::id<1> i) {
        const int x = static_cast<int>(i[0]);
        a.write(x, a.read(x) * 3);
      });
    });
  }
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(odd[16 * i] + odd[16 * i + 12], 3 * i + 21);
}

TEST(image, commands_are_ordered_by_their_accesses) {
  sycl::unsampled_image<2> image(image_format::r32b32g32a32_uint, sycl::range<2>(64, 48));
  sycl::queue q;
  q.submit([&](sycl::handler& h) {
    const device_accessor<sycl::uint4, access_mode::write> to(image, h, sycl::no_init);
    h.parallel_for(sycl::range<2>(64, 48), [=](sycl::id<2> i) {
      to.write(sycl::int2(static_cast<int>(i[0]), static_cast<int>(i[1])), sycl::uint4(1));
    });
  });
  for (int step = 0; step < 20; ++step)
    q.submit([&](sycl::handler& h) {
      const auto both = image.get_access<sycl::uint4>(h);
      h.parallel_for(sycl::range<2>(64, 48), [=](sycl::id<2> i) {
        const sycl::int2 at(static_cast<int>(i[0]), static_cast<int>(i[1]));
        both.write(at, both.read(at) * 3u + 1u);
      });
    });
  std::uint32_t wanted = 1;
  for (int step = 0; step < 20; ++step)
    wanted = wanted * 3 + 1;
  const auto seen = image.get_host_access<const sycl::uint4>();
  EXPECT_EQ(seen.read(sycl::int2(0, 0))[0], wanted);
  EXPECT_EQ(seen.read(sycl::int2(63, 47))[3], wanted);
  EXPECT_EQ(seen.size(), 64u * 48u);
}

TEST(image, host_accessors_block_commands) {
  sycl::unsampled_image<1> image(image_format::r8g8b8a8_sint, sycl::range<1>(4));
  sycl::queue q;
  sycl::event event;
  {
    const auto access = image.get_host_access<sycl::int4>();
    event = write_places(q, image);
    access.write(3, sycl::int4(-9));
    EXPECT_NE(event.get_info<sycl::info::event::command_execution_status>(),
              sycl::info::event_command_status::complete);
    EXPECT_EQ(access.read(3)[0], -9);
  }
  event.wait();
  EXPECT_EQ(image.get_host_access<const sycl::int4>().read(3)[0], 3);
}

TEST(image, host_tasks_read_and_write) {
  const std::vector<float> picture{0, 1, 2, 3, 4, 5, 6, 7};
  sycl::sampled_image<1> from(picture.data(), image_format::r32g32b32a32_sfloat, NEAREST, sycl::range<1>(2));
  sycl::unsampled_image<1> image(image_format::r32b32g32a32_sint, sycl::range<1>(4));
  sycl::queue q;
  write_places(q, image);
  q.submit([&](sycl::handler& h) {
    const auto colors = from.get_access<sycl::float4, image_target::host_task>(h);
    const auto both = image.get_access<sycl::int4, access_mode::read_write, image_target::host_task>(h);
    EXPECT_EQ(colors.size(), 2u);
    h.host_task([=] { both.write(2, both.read(3) + colors.read(1.5f).convert<std::int32_t>()); });
  });
  q.submit([&](sycl::handler& h) {
    const auto both = image.get_access<sycl::int4>(h);
    h.single_task([=] { both.write(0, both.read(2) * 10); });
  });
  const sycl::int4 seen = image.get_host_access<const sycl::int4>().read(0);
  EXPECT_EQ(seen[0], 70);
  EXPECT_EQ(seen[3], 140);
}

TEST(image, sampled_ones_leave_their_memory_alone) {
  const auto picture = std::make_shared<std::vector<float>>(16, 2.5f);
  std::shared_ptr<const void> shared(picture, picture->data());
  float sum = 0;
  {
    sycl::sampled_image<2> image(shared, image_format::r32g32b32a32_sfloat, NEAREST, sycl::range<2>(2, 2));
    shared.reset();
    EXPECT_EQ(picture.use_count(), 2);
    sycl::buffer<float> result(&sum, sycl::range<1>(1));
    sycl::queue().submit([&](sycl::handler& h) {
      const sycl::accessor to(result, h, sycl::write_only);
      const auto colors = image.get_access<const sycl::float4>(h);
      h.single_task([=] {
        const auto copy = colors;
        to[0] = copy == colors ? colors.read(sycl::float2(0, 0))[0] + copy.read(sycl::float2(9, 9))[3] : 0;
      });
    });
    EXPECT_EQ(image.get_host_access<sycl::float4>().read(sycl::float2(1, 1))[2], 2.5f);
  }
  EXPECT_EQ(sum, 5.0f);
  // The thread that completed the kernel lets go of the memory a moment after it.
  for (int i = 0; i < 10'000 && picture.use_count() != 1; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(picture.use_count(), 1);
}

TEST(image, final_data_goes_where_it_is_told) {
  std::vector<std::int32_t> memory(16), numbers;
  std::vector<std::byte> bytes;
  auto shared = std::make_shared<std::vector<std::int32_t>>(16);
  const std::shared_ptr<void> all(shared, shared->data());
  const std::shared_ptr<std::int32_t> some(shared, shared->data());
  sycl::queue q;
  const auto run = [&](auto destination) {
    std::fill(memory.begin(), memory.end(), -1);
    sycl::unsampled_image<1> image(memory.data(), image_format::r32b32g32a32_sint, sycl::range<1>(4));
    image.set_final_data(destination);
    write_places(q, image);
  };
  run(nullptr);
  EXPECT_EQ(memory[4], -1);
  std::vector<std::int32_t> other(16);
  run(other.data());
  EXPECT_EQ(other[4], 1);
  run(static_cast<void*>(memory.data()));
  EXPECT_EQ(memory[4], 1);
  run(std::back_inserter(numbers));
  EXPECT_EQ(numbers, other);
  run(std::back_inserter(bytes));
  EXPECT_EQ(bytes.size(), 64u);
  EXPECT_EQ(bytes[16], std::byte(1));
  run(std::weak_ptr<void>(all));
  EXPECT_EQ(*shared, other);
  std::fill(shared->begin(), shared->end(), 0);
  run(std::weak_ptr<std::int32_t>(some));
  EXPECT_EQ(*shared, other);
  std::fill(shared->begin(), shared->end(), 0);
  run(all);
  EXPECT_EQ(*shared, other);
  run(std::weak_ptr<int>()); // expired
}

TEST(image, write_back_can_be_cancelled) {
  std::vector<std::int32_t> memory(16, -1);
  sycl::queue q;
  {
    sycl::unsampled_image<1> image(memory.data(), image_format::r32b32g32a32_sint, sycl::range<1>(4));
    image.set_write_back(false);
    write_places(q, image);
  }
  EXPECT_EQ(memory[4], -1);
}

TEST(image, shared_memory_gets_the_contents_while_somebody_has_it) {
  sycl::queue q;
  auto shared = std::shared_ptr<std::int32_t>(new std::int32_t[16](), std::default_delete<std::int32_t[]>());
  std::shared_ptr<void> pointer = shared;
  {
    sycl::unsampled_image<1> image(pointer, image_format::r32b32g32a32_sint, sycl::range<1>(4));
    write_places(q, image);
  }
  EXPECT_EQ(shared.get()[12], 3);
  std::shared_ptr<void> empty;
  sycl::unsampled_image<1> uninitialised(empty, image_format::r32b32g32a32_sint, sycl::range<1>(4));
  write_places(q, uninitialised);
  EXPECT_EQ(uninitialised.get_host_access<sycl::int4>().read(2)[0], 2);
}

TEST(image, locks_the_user_s_mutex_to_write_back) {
  std::vector<std::int32_t> memory(16);
  std::mutex mutex;
  sycl::queue q;
  {
    sycl::unsampled_image<1> image(memory.data(), image_format::r32b32g32a32_sint, sycl::range<1>(4),
                                   {sycl::property::image::use_mutex(mutex)});
    EXPECT_TRUE(image.has_property<sycl::property::image::use_mutex>());
    EXPECT_FALSE(image.has_property<sycl::property::image::use_host_ptr>());
    EXPECT_EQ(image.get_property<sycl::property::image::use_mutex>().get_mutex_ptr(), &mutex);
    write_places(q, image);
  }
  const std::lock_guard lock(mutex); // which the destructor has given back
  EXPECT_EQ(memory[12], 3);
}

TEST(image, is_bound_to_its_context) {
  sycl::queue q;
  sycl::unsampled_image<1> image(image_format::r32b32g32a32_sint, sycl::range<1>(4),
                                 {sycl::property::image::context_bound(q.get_context())});
  EXPECT_EQ(image.get_property<sycl::property::image::context_bound>().get_context(), q.get_context());
  write_places(q, image);
  EXPECT_EQ(image.get_host_access<sycl::int4>().read(2)[0], 2);
}

/// Counts what it gives.
class counting_allocator {
public:
  using value_type = std::byte;
  explicit counting_allocator(std::atomic<int>& calls) : calls_(&calls) {}
  std::byte* allocate(std::size_t bytes) {
    ++*calls_;
    return std::allocator<std::byte>().allocate(bytes);
  }
  void deallocate(std::byte* memory, std::size_t bytes) {
    std::allocator<std::byte>().deallocate(memory, bytes);
  }
  friend bool operator==(const counting_allocator& a, const counting_allocator& b) {
    return a.calls_ == b.calls_;
  }

private:
  std::atomic<int>* calls_;
};

TEST(image, takes_host_memory_from_its_allocator) {
  std::atomic<int> calls{0};
  const counting_allocator allocator(calls);
  sycl::unsampled_image<2, counting_allocator> image(image_format::r32b32g32a32_sint, sycl::range<2>(4, 2),
                                                     allocator);
  EXPECT_EQ(image.get_allocator(), allocator);
  const auto access = image.get_host_access<sycl::int4>();
  access.write(sycl::int2(3, 1), sycl::int4(5));
  EXPECT_EQ(access.read(sycl::int2(3, 1))[3], 5);
  EXPECT_EQ(calls, 1);
  sycl::sampled_image<2, counting_allocator> sampled(nullptr, image_format::r32b32g32a32_sint, NEAREST,
                                                     sycl::range<2>(4, 2), sycl::range<1>(64), allocator);
  EXPECT_EQ(sampled.get_allocator(), allocator);
}

TEST(image, copies_are_the_same_image) {
  sycl::unsampled_image<1> one(image_format::r32b32g32a32_sint, sycl::range<1>(4));
  sycl::unsampled_image<1> other(image_format::r32b32g32a32_sint, sycl::range<1>(4));
  const sycl::unsampled_image<1> copy = one;
  EXPECT_EQ(one, copy);
  EXPECT_NE(one, other);
  EXPECT_EQ(std::hash<sycl::unsampled_image<1>>()(one), std::hash<sycl::unsampled_image<1>>()(copy));
  const auto access = one.get_host_access<sycl::int4>({sycl::no_init});
  const auto same = access;
  EXPECT_EQ(access, same);
  EXPECT_TRUE(same.has_property<sycl::property::no_init>());
  EXPECT_NE(access, (sycl::host_unsampled_image_accessor<sycl::int4>(other)));
  sycl::queue().submit([&](sycl::handler& h) {
    const device_accessor<sycl::int4, access_mode::write>* const none = nullptr;
    EXPECT_EQ(none, nullptr);
    const sycl::unsampled_image_accessor<sycl::int4, 1, access_mode::write> a(other, h, sycl::no_init), b = a;
    EXPECT_EQ(a, b);
    EXPECT_EQ(std::hash<std::decay_t<decltype(a)>>()(a), std::hash<std::decay_t<decltype(a)>>()(b));
    EXPECT_TRUE(a.has_property<sycl::property::no_init>());
  });
}

TEST(image, devices_have_images) {
  const sycl::device device;
  namespace info = sycl::info::device;
  EXPECT_TRUE(device.has(sycl::aspect::image));
  EXPECT_TRUE(sycl::any_device_has_v<sycl::aspect::image> && sycl::all_devices_have_v<sycl::aspect::image>);
  EXPECT_TRUE(device.get_info<info::image_support>());
  EXPECT_GE(device.get_info<info::max_read_image_args>(), 128u);
  EXPECT_GE(device.get_info<info::max_write_image_args>(), 8u);
  EXPECT_GE(device.get_info<info::max_samplers>(), 16u);
  EXPECT_GE(device.get_info<info::image2d_max_width>(), 8192u);
  EXPECT_GE(device.get_info<info::image2d_max_height>(), 8192u);
  EXPECT_GE(device.get_info<info::image3d_max_width>(), 2048u);
  EXPECT_GE(device.get_info<info::image3d_max_height>(), 2048u);
  EXPECT_GE(device.get_info<info::image3d_max_depth>(), 2048u);
  EXPECT_GE(device.get_info<info::image_max_buffer_size>(), 65536u);
}

/// What the exception says that \p function throws.
template <class Function>
std::string message_of(const Function& function) {
  try {
    function();
  } catch (const sycl::exception& error) {
    return error.what();
  }
  return "";
}

TEST(image, sizes_that_cannot_be_are_refused) {
  const auto make = [](sycl::range<2> size, std::size_t pitch) {
    return [=] { sycl::unsampled_image<2>(image_format::r16g16b16a16_sint, size, sycl::range<1>(pitch)); };
  };
  EXPECT_TRUE(
      throws_invalid([] { sycl::unsampled_image<1>(image_format::r8g8b8a8_sint, sycl::range<1>(0)); }));
  EXPECT_EQ(message_of(make({4, 0}, 32)),
            "sycl::unsampled_image: an image has at least one pixel in each dimension, not 4 x 0");
  EXPECT_EQ(message_of(make({4, 2}, 24)),
            "sycl::unsampled_image: the pitch from row to row is 24 bytes, but a row has 32");
  EXPECT_EQ(message_of(make({4, 2}, 36)),
            "sycl::unsampled_image: the pitch from row to row is 36 bytes, which is no "
            "multiple of the 8 bytes of a pixel");
  EXPECT_TRUE(throws_invalid(make({4, 2}, 36)));
  EXPECT_TRUE(throws_invalid([] {
    sycl::sampled_image<3>(nullptr, image_format::r8g8b8a8_sint, NEAREST, sycl::range<3>(2, 3, 4),
                           sycl::range<2>(8, 28));
  }));
  EXPECT_TRUE(throws_invalid(make({1, std::size_t{1} << 20}, std::size_t{1} << 60)));
  EXPECT_EQ(thrown_code(make({(std::size_t{1} << 24) + 1, 1}, std::size_t{1} << 30)),
            sycl::errc::feature_not_supported);
}

TEST(image, pixels_of_another_kind_are_refused) {
  sycl::unsampled_image<1> image(image_format::r8g8b8a8_unorm, sycl::range<1>(4));
  EXPECT_EQ(
      message_of([&] { image.get_host_access<sycl::int4>(); }),
      "sycl::host_unsampled_image_accessor: pixels of the image's format, image_format::r8g8b8a8_unorm, are "
      "accessed as sycl::float4 or sycl::half4, not as sycl::int4");
  sycl::queue q;
  EXPECT_TRUE(throws_invalid([&] { q.submit([&](sycl::handler& h) { image.get_access<sycl::uint4>(h); }); }));
  sycl::sampled_image<1> sampled(nullptr, image_format::r8g8b8a8_uint, NEAREST, sycl::range<1>(4));
  EXPECT_TRUE(throws_invalid([&] { sampled.get_host_access<sycl::float4>(); }));
  EXPECT_TRUE(
      throws_invalid([&] { q.submit([&](sycl::handler& h) { sampled.get_access<sycl::int4>(h); }); }));
}

TEST(image, reading_without_initialisation_is_refused) {
  sycl::unsampled_image<1> image(image_format::r8g8b8a8_unorm, sycl::range<1>(4));
  EXPECT_TRUE(throws_invalid([&] { image.get_host_access<const sycl::float4>({sycl::no_init}); }));
  EXPECT_TRUE(throws_invalid([&] {
    sycl::queue().submit([&](sycl::handler& h) {
      sycl::unsampled_image_accessor<sycl::float4, 1, access_mode::read>(image, h, sycl::no_init);
    });
  }));
}

} // namespace
