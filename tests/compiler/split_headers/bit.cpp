// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/bit.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

static_assert(sycl::bit_cast<int>(1.0f) == 0x3f800000);
