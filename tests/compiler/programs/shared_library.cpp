// Kernels in shared libraries that are loaded and unloaded; two libraries with a kernel of the same name do not meet.
// RUN: %falxpp -O2 -fPIC -shared -DFACTOR=3 %S/Inputs/plugin.cpp -o %t.three.so
// RUN: %falxpp -O2 -fPIC -shared -DFACTOR=5 %S/Inputs/plugin.cpp -o %t.five.so
// RUN: %falxpp -O2 %s -o %t.exe -ldl
// RUN: %t.exe %t.three.so %t.five.so | FileCheck %s
#include <sycl/sycl.hpp>

#include <dlfcn.h>

#include <cstdio>

int run(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::printf("%s\n", dlerror());
    return -1;
  }
  auto* function = reinterpret_cast<int (*)(int)>(dlsym(library, "run_plugin"));
  const int result = function(7);
  dlclose(library);
  return result;
}

int main(int, char** argv) {
  sycl::queue queue;
  for (int round = 0; round < 3; ++round) {
    // CHECK-COUNT-3: 21 35
    const int three = run(argv[1]);
    const int five = run(argv[2]);
    std::printf("%d %d\n", three, five);
  }
}
