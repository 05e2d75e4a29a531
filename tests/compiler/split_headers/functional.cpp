// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/functional.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

static_assert(sycl::plus<int>()(1, 2) == 3 && sycl::multiplies<>()(2, 3) == 6 && sycl::bit_and<int>()(3, 1) == 1);
static_assert(sycl::bit_or<int>()(2, 1) == 3 && sycl::bit_xor<int>()(3, 1) == 2 && sycl::minimum<>()(1, 2) == 1);
static_assert(sycl::logical_and<bool>()(true, true) && sycl::logical_or<>()(false, true) && sycl::maximum<int>()(1, 2) == 2);
