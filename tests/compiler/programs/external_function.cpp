// SYCL_EXTERNAL functions across translation units, and members of a static library that only device code refers to.
// RUN: %falxpp -O2 -c %S/Inputs/external.cpp -o %t.external.o
// RUN: %falxpp -O0 -g -c %S/Inputs/external_twice.cpp -o %t.twice.o
// RUN: %falxpp -O1 %s %t.external.o %t.twice.o -o %t.objects
// RUN: %t.objects | FileCheck %s
// RUN: rm -f %t.a && llvm-ar rcs %t.a %t.external.o %t.twice.o
// RUN: %falxpp -O2 %s %t.a -o %t.archive
// RUN: %t.archive | FileCheck %s
// RUN: not %falxpp -O2 %s -o %t.none 2>&1 | FileCheck %s --check-prefix=UNDEFINED
#include <sycl/sycl.hpp>

#include <cstdio>

SYCL_EXTERNAL int twice_plus_one(int x);

int main() {
  sycl::queue queue;
  int* values = sycl::malloc_shared<int>(4, queue);
  queue.parallel_for(4, [=](sycl::id<1> i) { values[i] = twice_plus_one(static_cast<int>(i[0])); }).wait();
  // CHECK: 1 3 5 7
  std::printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]);
  sycl::free(values, queue);
}
// UNDEFINED: undefined {{symbol|reference}}{{.*}}twice_plus_one(int)
