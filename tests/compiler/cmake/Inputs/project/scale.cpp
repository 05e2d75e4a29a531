#include <sycl/sycl.hpp>

int scale(int x) {
  sycl::queue queue;
  sycl::buffer<int> result(1);
  queue.submit([&](sycl::handler& group) {
    sycl::accessor out(result, group, sycl::write_only);
    group.single_task([=] { out[0] = 10 * x; });
  });
  return sycl::host_accessor(result)[0];
}

#ifdef TRY_RUN
int main() {
  return scale(7);
}
#endif
