// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/span.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

static_assert(sycl::span<int, 3>::extent == 3 && sycl::span<int>::extent == sycl::dynamic_extent);
