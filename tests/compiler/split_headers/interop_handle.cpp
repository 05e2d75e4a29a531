// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/interop_handle.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

auto backend_of(const sycl::interop_handle& handle) { return handle.get_backend(); }
