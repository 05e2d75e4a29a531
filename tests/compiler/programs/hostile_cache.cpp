// The program is right whatever the cache directory is or holds, and a damaged entry is rebuilt.
// RUN: %falxpp -O2 %s -o %t.exe
// RUN: rm -rf %t.cache && env FALX_CACHE_DIR=%t.cache %t.exe | FileCheck %s
// RUN: %python %S/Inputs/damage_cache.py %t.cache %t.exe | FileCheck %s --check-prefix=DAMAGED
// RUN: env FALX_CACHE_DIR=/proc/no/such/place %t.exe | FileCheck %s
// RUN: env FALX_CACHE_DIR=/dev/full %t.exe | FileCheck %s
// RUN: env -u HOME -u XDG_CACHE_HOME -u FALX_CACHE_DIR %t.exe | FileCheck %s
// RUN: %python %S/Inputs/damage_image.py %t.exe | FileCheck %s --check-prefix=IMAGE
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  try {
    sycl::queue queue;
    int* values = sycl::malloc_shared<int>(64, queue);
    queue.parallel_for(64, [=](sycl::id<1> i) { values[i] = 3 * static_cast<int>(i[0]); }).wait();
    // CHECK: 189
    std::printf("%d\n", values[63]);
    sycl::free(values, queue);
  } catch (const sycl::exception& error) {
    std::printf("sycl::exception: %s\n", error.what());
    return 2;
  }
}
// DAMAGED: all right
// IMAGE: all right
