// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/builtins_geometric.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

float value(float x) { return sycl::dot(x, x) + sycl::distance(x, x) + sycl::length(x) + sycl::normalize(x) + sycl::fast_length(x); }
