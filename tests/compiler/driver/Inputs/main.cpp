#include <sycl/sycl.hpp>

#include <cstdio>

int other(int x);

int main() {
  sycl::queue queue;
  int* v = sycl::malloc_shared<int>(4, queue);
  queue
      .parallel_for(sycl::nd_range<1>(4, 2),
                    [=](sycl::nd_item<1> i) [[sycl::reqd_work_group_size(2)]] {
                      v[i.get_global_id(0)] = 3 * static_cast<int>(i.get_global_id(0));
                    })
      .wait();
  std::printf("%d %d\n", v[1], other(v[3]));
  sycl::free(v, queue);
}
