// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/byte.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

// Deprecated, and it says so where it is used.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static_assert(sizeof(sycl::byte) == 1);
