#include <sycl/sycl.hpp>

class the_only_kernel;

void fill(sycl::queue& queue, int* values) {
  queue.parallel_for<the_only_kernel>(16, [=](sycl::id<1> i) { values[i] = 1; });
}
