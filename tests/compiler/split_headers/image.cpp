// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/image.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

// Images themselves have a test where they are implemented.
sycl::property::no_init tag = sycl::no_init;
