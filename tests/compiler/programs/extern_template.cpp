// Clang keeps inline functions of explicit instantiations that are elsewhere only where it may inline them; devices
// get them at -O0 as well.
// RUN: %falxpp -std=c++17 -O0 -g %s %S/Inputs/extern_template_other.cpp -o %t.0 && %t.0 | FileCheck %s
// RUN: %falxpp -std=c++20 -O2 %s %S/Inputs/extern_template_other.cpp -o %t.2 && %t.2 | FileCheck %s
#include "Inputs/extern_template.hpp"

#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  sycl::queue queue;
  int* values = sycl::malloc_shared<int>(4, queue);
  const scale<int> twice{2};
  queue.parallel_for(4, [=](sycl::id<1> i) { values[i] = twice.of(static_cast<int>(i[0])); }).wait();
  // CHECK: 2 4 6 8
  std::printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]);
  sycl::free(values, queue);
}
