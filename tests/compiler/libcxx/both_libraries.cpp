// A program of libc++ and a library of libstdc++, each with its own runtime and kernels, in one process.
// REQUIRES: libcxx
// RUN: %falxpp -O2 -DLIBRARY -shared -fPIC %s -o %t.so
// RUN: %falxpp -O2 -stdlib=libc++ %s %t.so -o %t.exe
// RUN: env FALX_DEVICE_SELECTOR=cpu %t.exe | FileCheck %s
#include <sycl/sycl.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>

extern "C" int times_ten(int x);

#ifdef LIBRARY
#ifdef _LIBCPP_VERSION
#error The library is compiled with libstdc++.
#endif
extern "C" int times_ten(int x) {
  sycl::queue queue([](sycl::exception_list) {});
  queue.submit([](sycl::handler& group) { group.host_task([] { throw std::runtime_error("lost"); }); });
  queue.wait_and_throw();
  sycl::buffer<int> buffer(&x, 1);
  queue.submit([&](sycl::handler& group) {
    sycl::accessor value(buffer, group);
    group.single_task([=] { value[0] *= 10; });
  });
  return sycl::host_accessor(buffer)[0];
}
#else
int main() {
  std::string text;
  sycl::queue queue([&](sycl::exception_list list) {
    try {
      std::rethrow_exception(*list.begin());
    } catch (const std::runtime_error& e) {
      text = e.what();
    }
  });
  queue.submit([](sycl::handler& group) { group.host_task([] { throw std::runtime_error("found"); }); });
  queue.wait_and_throw();
  sycl::buffer<int> buffer(1);
  queue.submit([&](sycl::handler& group) {
    sycl::accessor value(buffer, group);
    group.single_task([=] { value[0] = 7; });
  });
  // CHECK: 7 70 found
  std::printf("%d %d %s\n", sycl::host_accessor(buffer)[0], times_ten(7), text.c_str());
}
#endif
