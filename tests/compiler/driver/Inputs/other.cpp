#include <sycl/sycl.hpp>

extern "C" int c_function(int x);

int other(int x) {
  sycl::queue queue;
  int* value = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *value = x + 1; }).wait();
  const int result = c_function(*value);
  sycl::free(value, queue);
  return result;
}
