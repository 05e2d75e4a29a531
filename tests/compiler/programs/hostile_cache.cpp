// The program is right whatever the cache directory is or holds, and a damaged entry is rebuilt.
// RUN: %falxpp -O2 %s -o %t.exe
// RUN: rm -rf %t.cache && env FALX_CACHE_DIR=%t.cache %t.exe | FileCheck %s
// RUN: %python %S/Inputs/damage_cache.py %t.cache %t.exe | FileCheck %s --check-prefix=DAMAGED
//
// One that cannot be used is said to be, in one line, unless none is wanted.
// RUN: env FALX_CACHE_DIR=/proc/no/such/place %t.exe 2>%t.complaint | FileCheck %s
// RUN: FileCheck %s --check-prefix=PROC --input-file=%t.complaint
// RUN: env FALX_CACHE_DIR=/dev/full %t.exe 2>%t.complaint | FileCheck %s
// RUN: FileCheck %s --check-prefix=DEVICE --input-file=%t.complaint
// RUN: env -u HOME -u XDG_CACHE_HOME -u FALX_CACHE_DIR %t.exe 2>%t.complaint | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOWHERE --input-file=%t.complaint
// RUN: env FALX_CACHE=off FALX_CACHE_DIR=/dev/full %t.exe 2>%t.complaint | FileCheck %s
// RUN: count 0 < %t.complaint
// RUN: env FALX_CACHE_DIR=  %t.exe 2>%t.complaint | FileCheck %s
// RUN: count 0 < %t.complaint
// PROC-COUNT-1: falx: compiled kernels cannot be kept for the next run: the directory '/proc/no' cannot be made: {{.*}}; set FALX_CACHE_DIR to another directory (FALX_CACHE=off:
// PROC-NOT:     falx:
// DEVICE-COUNT-1: falx: {{.*}}: '/dev/full' is not a directory; remove it, or set FALX_CACHE_DIR to another directory (
// DEVICE-NOT:     falx:
// NOWHERE-COUNT-1: falx: {{.*}}: neither XDG_CACHE_HOME nor HOME is set to an absolute path; set FALX_CACHE_DIR to a directory (
// NOWHERE-NOT:     falx:
//
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
