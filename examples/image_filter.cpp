// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Turns and enlarges a small picture with linear sampling, on every device, and compares the results with
// what the host samples. Usage: image_filter [file.png], which gets the picture of the default device.
#include <sycl/sycl.hpp>

#include <png.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int SMALL_WIDTH = 48, SMALL_HEIGHT = 32;
constexpr int WIDTH = 1024, HEIGHT = 768;

using picture = std::vector<std::uint8_t>;

/// A red disk before stripes of other colors.
picture small_picture() {
  picture pixels;
  for (int y = 0; y < SMALL_HEIGHT; ++y)
    for (int x = 0; x < SMALL_WIDTH; ++x) {
      const int from_middle = (x - 24) * (x - 24) + (y - 16) * (y - 16);
      const std::array<int, 3> color = from_middle < 100 ? std::array{220, 40 + 2 * from_middle / 3, 50}
                                       : (x / 4 + y / 4) % 2 == 0
                                           ? std::array{30 + 4 * x, 60 + 5 * y, 200 - 3 * x}
                                           : std::array{240, 235, 220};
      for (const int component : color)
        pixels.push_back(static_cast<std::uint8_t>(component));
      pixels.push_back(255);
    }
  return pixels;
}

/// The point of the small picture that is seen in the middle of a pixel: the picture is turned, and repeated
/// as in mirrors where it ends.
sycl::float2 seen_at(int x, int y) {
  const float across = (static_cast<float>(x) + 0.5f) / WIDTH - 0.5f;
  const float down = (static_cast<float>(y) + 0.5f) / HEIGHT - 0.5f;
  return {0.5f + 1.2f * across - 0.5f * down, 0.5f + 0.6f * across + 1.1f * down};
}

picture turned(sycl::queue queue, sycl::sampled_image<2>& from) {
  picture pixels(std::size_t(4) * WIDTH * HEIGHT);
  {
    sycl::unsampled_image<2> image(pixels.data(), sycl::image_format::r8g8b8a8_unorm,
                                   sycl::range(WIDTH, HEIGHT));
    queue.submit([&](sycl::handler& group) {
      const sycl::sampled_image_accessor<sycl::float4, 2> colors(from, group);
      const sycl::unsampled_image_accessor<sycl::float4, 2, sycl::access_mode::write> to(image, group,
                                                                                         sycl::no_init);
      group.parallel_for(sycl::range(HEIGHT, WIDTH), [=](sycl::item<2> item) {
        const int x = static_cast<int>(item[1]), y = static_cast<int>(item[0]);
        to.write(sycl::int2(x, y), colors.read(seen_at(x, y)));
      });
    });
  } // the image's destructor writes to the vector
  return pixels;
}

/// The same on the host.
picture expected(sycl::sampled_image<2>& from) {
  picture pixels;
  const auto colors = from.get_host_access<sycl::float4>();
  for (int y = 0; y < HEIGHT; ++y)
    for (int x = 0; x < WIDTH; ++x) {
      const sycl::float4 color = colors.read(seen_at(x, y));
      for (int i = 0; i < 4; ++i)
        pixels.push_back(static_cast<std::uint8_t>(color[i] * 255 + 0.5f));
    }
  return pixels;
}

bool write_png(const char* path, const picture& pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = WIDTH;
  image.height = HEIGHT;
  image.format = PNG_FORMAT_RGBA;
  return png_image_write_to_file(&image, path, 0, pixels.data(), 0, nullptr) != 0;
}

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "image_filter.png";
  const picture small = small_picture();
  sycl::sampled_image<2> image(small.data(), sycl::image_format::r8g8b8a8_unorm,
                               {sycl::addressing_mode::mirrored_repeat,
                                sycl::coordinate_normalization_mode::normalized,
                                sycl::filtering_mode::linear},
                               sycl::range(SMALL_WIDTH, SMALL_HEIGHT));
  const picture wanted = expected(image);
  bool verified = true;
  for (const sycl::device& device : sycl::device::get_devices()) {
    const picture seen = turned(sycl::queue(device), image);
    // Devices may fuse multiplications and additions, and texture units weigh neighbours in steps of 1/256: a
    // component may be 1 or 2 more or less.
    int largest = 0, different = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      largest = std::max(largest, std::abs(seen[i] - wanted[i]));
      different += seen[i] != wanted[i];
    }
    verified = verified && largest <= 2;
    std::printf("image_filter: %dx%d on %s, %d of %zu components differ from the host's, by %d at most\n",
                WIDTH, HEIGHT, device.get_info<sycl::info::device::name>().c_str(), different, seen.size(),
                largest);
  }
  if (!write_png(path, turned(sycl::queue(), image))) {
    std::fprintf(stderr, "image_filter: cannot write '%s'\n", path);
    return 1;
  }
  std::printf("image_filter: %s, picture in %s\n", verified ? "verified" : "WRONG", path);
  return verified ? 0 : 1;
}
