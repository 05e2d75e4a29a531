// An object compiled by a plain compiler links, and says at the first launch what is wrong and what to do.
// RUN: %clang -std=c++17 -isystem %root/include -c %s -o %t.o
// RUN: %falxpp %t.o -o %t.exe
// RUN: %t.exe | FileCheck %s
#include <sycl/sycl.hpp>

#include <cstdio>

class my_kernel;

int main() {
  sycl::queue queue;
  try {
    queue.submit([](sycl::handler& group) { group.single_task<my_kernel>([] {}); }).wait();
  } catch (const sycl::exception& e) {
    // CHECK: kernel_not_supported: {{.*}}my_kernel{{.*}}falx++
    std::printf("%s: %s\n", e.code() == sycl::errc::kernel_not_supported ? "kernel_not_supported" : "other",
                e.what());
  }
}
