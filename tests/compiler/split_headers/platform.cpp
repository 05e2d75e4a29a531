// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/platform.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

auto name(const sycl::platform& p) { return p.get_info<sycl::info::platform::name>(); }
