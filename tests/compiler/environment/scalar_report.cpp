// FALX_SIMD_REPORT says which kernels are not run as vectors, and only then.
// RUN: %falxpp -O1 %s -o %t.exe
// RUN: env FALX_SIMD=8 FALX_CACHE=off FALX_SIMD_REPORT=on %t.exe 2>&1 | FileCheck %s --check-prefixes=REPORT,CHECK
// RUN: env FALX_SIMD=8 FALX_CACHE=off FALX_SIMD_REPORT=off %t.exe 2>&1 | FileCheck %s --implicit-check-not=falx:
// RUN: env FALX_SIMD=1 FALX_CACHE=off FALX_SIMD_REPORT=on %t.exe 2>&1 | FileCheck %s --implicit-check-not=falx:
// REPORT-COUNT-1: falx: kernel '{{.*}}large{{.*}}' is not run as vectors: {{.*}}private
// REPORT-NOT:     falx:
// CHECK:          189
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  sycl::queue queue(sycl::cpu_selector_v);
  int* values = sycl::malloc_shared<int>(64, queue);
  for (int i = 0; i < 64; ++i)
    values[i] = i;
  // One work-item at a time has room for it on a thread's stack, eight do not.
  queue.parallel_for<class large>(64, [=](sycl::id<1> i) {
    volatile int own[1 << 25];
    for (int k = 0; k < 1 << 25; k += 1 << 18)
      own[k] = values[i];
    values[i] = 3 * own[(values[i] & 63) << 18];
  });
  queue.wait();
  queue.parallel_for<class plain>(64, [=](sycl::id<1> i) { values[i] += 0; }).wait();
  std::printf("%d\n", values[63]);
  sycl::free(values, queue);
}
