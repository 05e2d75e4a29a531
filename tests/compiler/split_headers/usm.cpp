// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/usm.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

// Arguments of other classes.
#include <sycl/khr/split_headers/queue.hpp>

void* value(const sycl::queue& q, const sycl::device& d, const sycl::context& c) {
  sycl::usm_allocator<int, sycl::usm::alloc::shared> allocator(c, d);
  int* const made[] = {sycl::malloc_device<int>(1, d, c), sycl::aligned_alloc_host<int>(64, 1, c),
                       sycl::malloc_shared<int>(1, d, c), sycl::malloc<int>(1, d, c, sycl::usm::alloc::host)};
  static_cast<void>(q);
  sycl::free(made[0], c);
  return sycl::get_pointer_type(made[1], c) == sycl::usm::alloc::host ? made[2] : allocator.allocate(1);
}
