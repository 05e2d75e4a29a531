// A version per value, or one for all: FALX_ADAPTIVITY.
// RUN: %falxpp -O2 %s -o %t.exe
// RUN: env FALX_CACHE=off %t.exe | FileCheck %s --check-prefixes=CHECK,ON
// RUN: env FALX_CACHE=off FALX_ADAPTIVITY=1 %t.exe | FileCheck %s --check-prefixes=CHECK,ON
// RUN: env FALX_CACHE=off FALX_ADAPTIVITY=0 %t.exe | FileCheck %s --check-prefixes=CHECK,OFF
#include <falx/cache.hpp>
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  sycl::queue queue(sycl::cpu_selector_v);
  int* result = sycl::malloc_shared<int>(1, queue);
  const auto run = [&](sycl::specialized<int> value) {
    queue.single_task([=] { *result += value; }).wait();
  };
  *result = 0;
  for (int value : {1, 2, 3, 2, 1})
    run(value);
  // CHECK: 9,
  // ON-SAME: 3 versions
  // OFF-SAME: 1 versions
  std::printf("%d, %d versions\n", *result, static_cast<int>(falx::jit_compilations()));
  // Behind the sixteenth version follows the one for all other values.
  for (int value = 0; value < 100; ++value)
    run(value);
  // CHECK: 4959,
  // ON-SAME: 17 versions
  // OFF-SAME: 1 versions
  std::printf("%d, %d versions\n", *result, static_cast<int>(falx::jit_compilations()));
  sycl::free(result, queue);
}
