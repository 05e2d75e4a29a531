// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/hierarchical_parallelism.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

int* of(sycl::private_memory<int>& memory, const sycl::h_item<1>& item) { return &memory(item); }
