// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/index_space.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

sycl::id<2> of(const sycl::item<2>& item, const sycl::nd_item<2>& other) { return item.get_id() + other.get_global_id(); }
sycl::nd_range<2> space(sycl::range<2>(4, 4), sycl::range<2>(2, 2));
