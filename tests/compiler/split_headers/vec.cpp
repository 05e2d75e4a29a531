// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/vec.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

sycl::float4 value(sycl::vec<float, 4> x) {
  const auto whole = x.convert<int, sycl::rounding_mode::rtz>();
  return x.swizzle<sycl::elem::s1, sycl::elem::s0, sycl::elem::w, sycl::elem::z>() + x.swizzle<3, 2, 1, 0>() +
         static_cast<float>(whole[0]) + x.lo().s0();
}
sycl::half2 halves;
