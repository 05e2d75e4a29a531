#include <sycl/sycl.hpp>

extern "C" int run_plugin(int x) {
  sycl::queue queue;
  int* value = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *value = x * FACTOR; }).wait();
  const int result = *value;
  sycl::free(value, queue);
  return result;
}
