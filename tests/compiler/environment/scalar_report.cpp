// FALX_SIMD_REPORT says which kernels are not run as vectors, and only then.
// RUN: %falxpp -O1 %s -o %t.exe
// RUN: env FALX_SIMD=8 FALX_CACHE=off FALX_SIMD_REPORT=on %t.exe 2>&1 | FileCheck %s --check-prefixes=REPORT,CHECK
// RUN: env FALX_SIMD=8 FALX_CACHE=off FALX_SIMD_REPORT=off %t.exe 2>&1 | FileCheck %s --implicit-check-not=falx:
// RUN: env FALX_SIMD=1 FALX_CACHE=off FALX_SIMD_REPORT=on %t.exe 2>&1 | FileCheck %s --implicit-check-not=falx:
// REPORT-COUNT-1: falx: kernel '{{.*}}endless{{.*}}' is not run as vectors: it has a loop that never ends
// REPORT-NOT:     falx:
// CHECK:          189
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  sycl::queue queue(sycl::cpu_selector_v);
  int* values = sycl::malloc_shared<int>(64, queue);
  for (int i = 0; i < 64; ++i)
    values[i] = i;
  queue.parallel_for<class endless>(64, [=](sycl::id<1> i) {
    values[i] *= 3;
    if (values[i] < 0)
      for (;;)
        static_cast<volatile int*>(values)[0] = 1;
  });
  queue.wait();
  queue.parallel_for<class plain>(64, [=](sycl::id<1> i) { values[i] += 0; }).wait();
  std::printf("%d\n", values[63]);
  sycl::free(values, queue);
}
