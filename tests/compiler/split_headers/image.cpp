// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/image.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

unsigned copy(sycl::unsampled_image<2>& image) {
  sycl::host_unsampled_image_accessor<sycl::vec<unsigned, 4>, 2, sycl::access_mode::read> pixels(image);
  return pixels.read(sycl::vec<int, 2>(0, 0)).x();
}
sycl::sampled_image<1> picture(const void* pixels) {
  const sycl::image_sampler sampler{sycl::addressing_mode::clamp, sycl::coordinate_normalization_mode::normalized,
                                    sycl::filtering_mode::linear};
  return {pixels, sycl::image_format::r8g8b8a8_unorm, sampler, sycl::range<1>(4)};
}
sycl::property::no_init tag = sycl::no_init;
