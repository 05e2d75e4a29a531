// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/half.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

static_assert(sizeof(sycl::half) == 2);
sycl::half twice(sycl::half x) { return x + x; }
