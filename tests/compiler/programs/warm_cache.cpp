// The second process finds its kernels in the cache and starts without LLVM.
// RUN: rm -rf %t.cache && %falxpp -O2 %s -o %t.exe
// RUN: env FALX_CACHE_DIR=%t.cache %t.exe | FileCheck %s --check-prefix=COLD
// RUN: env FALX_CACHE_DIR=%t.cache %t.exe | FileCheck %s --check-prefix=WARM
// RUN: env FALX_CACHE=off %t.exe | FileCheck %s --check-prefix=COLD
#include <sycl/sycl.hpp>

#include <cstdio>
#include <fstream>
#include <string>

bool is_loaded(const char* library) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find(library) != std::string::npos)
      return true;
  return false;
}

int main() {
  sycl::queue queue;
  int* values = sycl::malloc_shared<int>(64, queue);
  queue.parallel_for(64, [=](sycl::id<1> i) { values[i] = static_cast<int>(i[0]); }).wait();
  const int last = values[63];
  sycl::free(values, queue);
  // COLD: 63, LLVM is loaded
  // WARM: 63, LLVM is not loaded
  std::printf("%d, LLVM is %s\n", last, is_loaded("libfalx-jit.so") ? "loaded" : "not loaded");
}
