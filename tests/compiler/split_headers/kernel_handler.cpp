// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/kernel_handler.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

static_assert(sizeof(sycl::kernel_handler) > 0);
template <auto& Constant>
auto value(sycl::kernel_handler handler) {
  return handler.get_specialization_constant<Constant>();
}
