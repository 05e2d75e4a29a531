// A limit on the size of files (ulimit -f) costs the cache, and where not even the code of a kernel fits, it is an error;
// it never ends the program by a signal.
// REQUIRES: prlimit
// RUN: %falxpp -O2 %s -o %t.exe
// RUN: rm -rf %t.cache
// RUN: env FALX_CACHE_DIR=%t.cache prlimit --fsize=100 %t.exe | FileCheck %s --check-prefix=NO-ROOM
// RUN: env FALX_CACHE_DIR=%t.cache prlimit --fsize=1000000 %t.exe | FileCheck %s --check-prefix=COMPILED
// RUN: env FALX_CACHE_DIR=%t.cache prlimit --fsize=100 %t.exe | FileCheck %s --check-prefix=CACHED
// NO-ROOM: sycl::exception: {{.*}}; raise the limit (ulimit -f)
// COMPILED: 189, compiled 1
// CACHED: 189, compiled 0
#include <falx/cache.hpp>
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  try {
    sycl::queue queue;
    int* const values = sycl::malloc_shared<int>(64, queue);
    queue.parallel_for(64, [=](sycl::id<1> i) { values[i] = 3 * static_cast<int>(i[0]); }).wait();
    std::printf("%d, compiled %d\n", values[63], static_cast<int>(falx::jit_compilations()));
    sycl::free(values, queue);
  } catch (const sycl::exception& error) {
    std::printf("sycl::exception: %s\n", error.what());
  }
}
