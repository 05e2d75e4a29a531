// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/marray.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

static_assert(sycl::mfloat4(1.0f)[3] == 1.0f && sizeof(sycl::mbool2) == 2 && sizeof(sycl::marray<int, 5>) == 20);
sycl::mhalf2 halves;
