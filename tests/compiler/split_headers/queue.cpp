// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/queue.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

sycl::property_list properties{sycl::property::queue::in_order(), sycl::property::queue::enable_profiling()};
void run(sycl::queue& q, int* data) {
  q.single_task([=] { *data = 1; });
  q.submit([](sycl::handler& cgh) { cgh.host_task([] {}); });
  static_cast<void>(q.get_info<sycl::info::queue::device>());
  static_cast<void>(q.get_info<sycl::info::queue::context>());
}
