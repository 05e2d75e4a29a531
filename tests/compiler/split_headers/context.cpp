// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/context.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

auto backend_of(const sycl::context& c) { return c.get_backend(); }
using descriptor = sycl::info::context::platform;
using others = sycl::info::context::devices;
using orders = sycl::info::context::atomic_memory_order_capabilities;
static_assert(sizeof(descriptor) + sizeof(others) + sizeof(orders) > 0);
