#include <sycl/khr/split_headers/queue.hpp>
#ifdef __SYCL_DEVICE_ONLY__
struct captured {
  int x;
};
#ifdef BREAK
#include "nowhere.hpp"
#endif
#else
struct captured {
  int x, y;
};
#endif
template <class Number>
void on_one_side(sycl::queue& q) {
#ifndef __SYCL_DEVICE_ONLY__
  q.single_task([] {});
#endif
}
int main() {
  sycl::queue q;
  captured a{};
  int* p = nullptr;
  q.single_task([=] { *p = a.x; });
  on_one_side<int>(q);
}
