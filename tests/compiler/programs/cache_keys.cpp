// One cache for programs that differ in what is not in the bitcode of their kernels: an attribute, the environment.
// RUN: rm -rf %t.cache
// RUN: %falxpp -O2 %s -o %t.wishes.exe
// RUN: %falxpp -O2 -DDEMAND %s -o %t.demands.exe
// DEFINE: %{run} = env FALX_DEVICE_SELECTOR=cpu FALX_CACHE_DIR=%t.cache
//
// Groups of one work-item are no vectors, unless a size of sub-groups is demanded.
// RUN: %{run} FALX_SIMD=8 %t.wishes.exe  | FileCheck %s --check-prefix=WISHED
// RUN: %{run} FALX_SIMD=8 %t.demands.exe | FileCheck %s --check-prefix=DEMANDED
// RUN: %{run} FALX_SIMD=8 %t.wishes.exe  | FileCheck %s --check-prefix=WISHED-AGAIN
// WISHED: groups of 1 have sub-groups of 1, compiled
// WISHED: groups of 16 have sub-groups of 8, compiled
// DEMANDED: groups of 1 have sub-groups of 8, compiled
// DEMANDED: groups of 16 have sub-groups of 8, compiled
// WISHED-AGAIN: groups of 1 have sub-groups of 1, from the cache
// WISHED-AGAIN: groups of 16 have sub-groups of 8, from the cache
//
// RUN: %{run} FALX_SIMD=4 %t.wishes.exe | FileCheck %s --check-prefix=OF-FOUR
// RUN: %{run} FALX_SIMD=8 FALX_CPU=x86-64 %t.wishes.exe | FileCheck %s --check-prefix=WISHED
// RUN: %{run} FALX_SIMD=8 FALX_CPU=x86-64 %t.wishes.exe | FileCheck %s --check-prefix=WISHED-AGAIN
// OF-FOUR: groups of 16 have sub-groups of 4, compiled
#include <falx/cache.hpp>
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>

#ifdef DEMAND
#define SIZE [[sycl::reqd_sub_group_size(8)]]
#else
#define SIZE
#endif

int main() {
  sycl::queue queue;
  auto* const size = sycl::malloc_shared<std::uint32_t>(1, queue);
  for (const std::size_t group : {1, 16}) {
    const std::uint64_t before = falx::jit_compilations();
    queue
        .parallel_for<class measure>(sycl::nd_range<1>(2 * group, group),
                                     [=](sycl::nd_item<1> item) SIZE {
                                       if (item.get_global_linear_id() == 0)
                                         *size = item.get_sub_group().get_max_local_range()[0];
                                     })
        .wait();
    std::printf("groups of %zu have sub-groups of %u, %s\n", group, *size,
                falx::jit_compilations() == before ? "from the cache" : "compiled");
  }
  sycl::free(size, queue);
}
