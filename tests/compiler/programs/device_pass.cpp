// -fsycl-device-pass: device code from a pass of its own, in which __SYCL_DEVICE_ONLY__ is defined.
// RUN: rm -rf %t && mkdir %t && cd %t && echo 'inline int of_device() { return 40; }' > device_only.hpp
// RUN: %falxpp -O0 -g -I. -Wall -Werror -fsycl-device-pass -MD -MF d %s -o program && ./program | FileCheck %s
// RUN: FileCheck %s --check-prefix=DEPENDENCIES < d
// RUN: %falxpp -O2 -I. -flto -fsycl-device-pass %s -o program && ./program | FileCheck %s
// DEPENDENCIES: device_only.hpp
#include <sycl/sycl.hpp>

struct tracker {
  virtual void count() { ++copies; }
  int copies = 0;
};
static tracker* all_copies = new tracker;

#ifdef __SYCL_DEVICE_ONLY__
#include "device_only.hpp"
#define ON_HOST(...)
constexpr int SIDE = 1;
#else
inline int of_device() { return 0; }
#define ON_HOST(...) __VA_ARGS__
constexpr int SIDE = 2;
#endif

struct view {
  int* data;
  view(int* data) : data(data) {}
  view(const view& other) : data(other.data) { ON_HOST(all_copies->count();) }
};
template <>
struct sycl::is_device_copyable<view> : std::true_type {};

/// As Kokkos's views: the host alone launches, the device pass sees the launch where it never runs.
template <class T>
struct owner {
  T* data;
  void release(sycl::queue& q) {
    q.single_task([data = data] { data[2] = 9 + SIDE; });
  }
  void see_release(sycl::queue& q) {
    if (false)
      release(q);
  }
};

constexpr sycl::specialization_id<int> constant(7);

int main() {
  sycl::queue q{sycl::property::queue::in_order()};
  int* data = sycl::malloc_shared<int>(3, q);
  view v(data);
  q.single_task([=] {
    view copy(v);
    copy.data[0] = SIDE + of_device();
  });
  q.submit([&](sycl::handler& h) {
    h.set_specialization_constant<constant>(5);
    h.single_task([=](sycl::kernel_handler k) { data[1] = k.get_specialization_constant<constant>() + SIDE * 100; });
  });
  sycl::buffer<int> b(4);
  q.submit([&](sycl::handler& h) {
    sycl::accessor a(b, h, sycl::write_only);
    h.parallel_for(4, [=](sycl::id<1> i) { a[i] = int(i[0]) * SIDE; });
  });
  owner<int> last{data};
  last.see_release(q);
  ON_HOST(last.release(q);)
  q.wait();
  // CHECK: 41 105 10 3 2 copied
  std::cout << data[0] << ' ' << data[1] << ' ' << data[2] << ' ' << sycl::host_accessor(b)[3] << ' ' << SIDE
            << (all_copies->copies > 0 ? " copied" : "") << '\n';
  sycl::free(data, q);
}
