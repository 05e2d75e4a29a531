// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/property_list.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

sycl::property_list none;
