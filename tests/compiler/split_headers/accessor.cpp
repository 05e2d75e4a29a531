// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/accessor.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

template <class T, sycl::access_mode Mode, sycl::target Target>
using device_accessor = sycl::accessor<T, 1, Mode, Target, sycl::access::placeholder::true_t>;
device_accessor<int, sycl::access::mode::read_write, sycl::access::target::device> on_device;
sycl::host_accessor<int> on_host;
using local = sycl::local_accessor<int, 2>;
static_assert(sizeof(local) > 0 && sizeof(sycl::property::no_init) > 0);

void use(...);
void use_tags() {
  use(sycl::read_only, sycl::write_only, sycl::read_write, sycl::read_only_host_task, sycl::write_only_host_task,
      sycl::read_write_host_task, sycl::no_init);
}
