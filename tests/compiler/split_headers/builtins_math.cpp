// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/builtins_math.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

float value(float x) {
  return sycl::sin(x) + sycl::fmin(x, x) + sycl::pow(x, x) + sycl::fma(x, x, x) + sycl::native::exp(x) +
         sycl::half_precision::exp(x) + sycl::ldexp(x, 2) + sycl::rootn(x, 3);
}
