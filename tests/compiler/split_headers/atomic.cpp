// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/atomic.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

int counted(int& value) {
  sycl::atomic_fence(sycl::memory_order::acq_rel, sycl::memory_scope::device);
  return sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::system>(value).fetch_add(1);
}
int counted(sycl::atomic<int> value) {
  sycl::atomic_store(value, 2);
  return sycl::atomic_fetch_and(value, 1);
}
