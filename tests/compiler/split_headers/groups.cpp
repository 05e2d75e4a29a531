// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/groups.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

void wait(const sycl::group<2>& g, const sycl::sub_group& s, sycl::device_event& e) {
  e.wait();
  sycl::group_barrier(g);
  sycl::group_barrier(s, sycl::memory_scope::sub_group);
}
