// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/math.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

float value(float x, int i) {
  return sycl::sin(x) + sycl::native::cos(x) + sycl::half_precision::cos(x) + sycl::clamp(x, x, x) + sycl::dot(x, x) +
         static_cast<float>(sycl::popcount(i)) + sycl::select(x, x, sycl::isequal(x, x) != 0);
}
