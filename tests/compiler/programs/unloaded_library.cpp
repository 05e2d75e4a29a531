// A library that uses SYCL is unloaded by dlclose, in a program that has nothing else of Falx: libfalx.so, which stays, has
// bound none of its own symbols to the library's.
// RUN: %falxpp -O2 -fPIC -shared -Wno-deprecated-declarations %S/Inputs/unloaded_library.cpp -o %t.so
// RUN: %falxpp -O0 -fPIC -shared -Wno-deprecated-declarations %S/Inputs/unloaded_library.cpp -o %t.o0.so
// RUN: %clang -O2 %s -o %t.exe
// RUN: %t.exe %t.so | FileCheck %s
// RUN: %t.exe %t.o0.so | FileCheck %s
// CHECK: host task 63
// CHECK-NEXT: invalid
// CHECK-NEXT: unloaded
// CHECK-NEXT: 2016, closed
#include <dlfcn.h>

#include <cstdio>

int main(int, char** arguments) {
  void* const library = dlopen(arguments[1], RTLD_NOW);
  if (library == nullptr) {
    std::puts(dlerror());
    return 1;
  }
  const int result = reinterpret_cast<int (*)()>(dlsym(library, "run_in_library"))();
  dlclose(library);
  // A library that stays is found again.
  std::printf("%d, %s\n", result, dlopen(arguments[1], RTLD_NOW | RTLD_NOLOAD) == nullptr ? "closed" : "still open");
}
