// A library is closed while its kernels run, by a program that has nothing else of Falx: dlclose waits for them.
// RUN: %falxpp -O2 -fPIC -shared -DLIBRARY %s -o %t.library.so && %clang -O2 %s -o %t.exe
// RUN: env FALX_CACHE=off %t.exe %t.library.so | FileCheck %s
// RUN: %t.exe %t.library.so | FileCheck %s
// CHECK-COUNT-6: closed, 1 is 6001
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>

#ifdef LIBRARY
#include <sycl/sycl.hpp>

extern "C" double* start() {
  constexpr std::size_t count = 1 << 13;
  static auto* const queue = new sycl::queue;
  auto* const values = sycl::malloc_shared<double>(count, *queue);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<double>(i);
  sycl::event last;
  for (int launch = 0; launch < 3; ++launch)
    last = queue->parallel_for(count, last, [=](sycl::id<1> i) {
      for (int step = 0; step < 2000; ++step)
        values[i] = values[i] + 1.0;
    });
  return values;
}
#else
int main(int, char** arguments) {
  alarm(100);
  for (int run = 0; run < 6; ++run) {
    void* const library = dlopen(arguments[1], RTLD_NOW);
    if (library == nullptr) {
      std::puts(dlerror());
      return 1;
    }
    const double* const values = reinterpret_cast<double* (*)()>(dlsym(library, "start"))();
    if (dlclose(library) == 0)
      std::printf("closed, 1 is %g\n", values[1]);
  }
}
#endif
