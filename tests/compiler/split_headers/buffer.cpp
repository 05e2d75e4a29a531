// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/buffer.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

// Arguments of other classes.
#include <sycl/khr/split_headers/context.hpp>
#include <sycl/khr/split_headers/index_space.hpp>

#include <mutex>

sycl::buffer<int, 2> made(std::mutex& mutex, sycl::context& of) {
  return sycl::buffer<int, 2>(sycl::range<2>(2, 3),
                              {sycl::property::buffer::use_host_ptr(), sycl::property::buffer::use_mutex(mutex),
                               sycl::property::buffer::context_bound(of)});
}
sycl::buffer_allocator<int> allocator;
