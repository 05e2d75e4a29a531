// FALX_SIMD_REPORT says which kernels are not run as vectors, and only then.
// RUN: %falxpp -O1 %s -o %t.exe
// RUN: env FALX_SIMD=8 FALX_CACHE=off FALX_SIMD_REPORT=on %t.exe 2>&1 | FileCheck %s --check-prefixes=REPORT,CHECK
// RUN: env FALX_SIMD=8 FALX_CACHE=off FALX_SIMD_REPORT=off %t.exe 2>&1 | FileCheck %s --implicit-check-not=falx:
// RUN: env FALX_SIMD=1 FALX_CACHE=off FALX_SIMD_REPORT=on %t.exe 2>&1 | FileCheck %s --implicit-check-not=falx:
// REPORT-COUNT-1: falx: kernel '{{.*}}meeting{{.*}}' is not run as vectors: work-items wait at asynchronous barriers
// REPORT-NOT:     falx:
// CHECK:          189
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  sycl::queue queue(sycl::cpu_selector_v);
  int* values = sycl::malloc_shared<int>(64, queue);
  for (int i = 0; i < 64; ++i)
    values[i] = i;
  queue.submit([&](sycl::handler& group) {
    using sycl::ext::oneapi::experimental::cuda::barrier;
    sycl::local_accessor<barrier> all(1, group);
    group.parallel_for<class meeting>(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> item) {
      const auto i = item.get_local_id(0);
      if (i == 0)
        all[0].initialize(64);
      sycl::group_barrier(item.get_group());
      values[i] *= 3;
      all[0].wait(all[0].arrive());
    });
  });
  queue.wait();
  queue.parallel_for<class plain>(64, [=](sycl::id<1> i) { values[i] += 0; }).wait();
  std::printf("%d\n", values[63]);
  sycl::free(values, queue);
}
