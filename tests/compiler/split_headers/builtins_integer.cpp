// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/builtins_integer.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

int value(int x) {
  return sycl::abs(x) + sycl::abs_diff(x, x) + sycl::add_sat(x, x) + sycl::clz(x) + sycl::ctz(x) + sycl::popcount(x) +
         sycl::max(x, x) + sycl::min(x, x) + sycl::clamp(x, x, x) + sycl::mul24(x, x) + sycl::rotate(x, x);
}
