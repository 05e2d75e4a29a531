// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/builtins_relational.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

bool value(float x) { return sycl::isequal(x, x) || sycl::isnan(x) || sycl::any(1) || sycl::signbit(x) || sycl::select(x, x, true) > 0; }
