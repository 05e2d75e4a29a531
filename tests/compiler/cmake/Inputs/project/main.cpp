#include <sycl/sycl.hpp>

#include <cstdio>

int other(int x);
int scale(int x);

int main() {
  sycl::queue queue;
  int* v = sycl::malloc_shared<int>(4, queue);
  queue.parallel_for(4, [=](sycl::id<1> i) { v[i] = 3 * static_cast<int>(i[0]); }).wait();
  std::printf("%d %d %d\n", v[1], other(v[3]), scale(v[3]));
  sycl::free(v, queue);
}
