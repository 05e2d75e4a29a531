// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/builtins_common.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

float value(float x) {
  return sycl::clamp(sycl::min(x, sycl::max(x, 1.0f)), 0.0f, 1.0f) + sycl::degrees(x) + sycl::radians(x) +
         sycl::mix(x, x, x) + sycl::step(x, x) + sycl::smoothstep(x, x, x) + sycl::sign(x);
}
