// Dynamic functions across translation units: definitions of other files, with what they call; functions of internal
// linkage and equal names; kernels of other files. The configuration is part of the cache's key.
// RUN: rm -rf %t.cache
// RUN: %falxpp -O2 -c %S/Inputs/dynamic_functions_other.cpp -o %t.other.o
// RUN: %falxpp -O0 -I%S/Inputs %s %t.other.o -o %t.program
// RUN: env FALX_CACHE_DIR=%t.cache %t.program | FileCheck %s --check-prefixes=CHECK,COLD
// Once more, with all kernels out of the cache.
// RUN: env FALX_CACHE_DIR=%t.cache %t.program | FileCheck %s --check-prefixes=CHECK,WARM
// RUN: %falxpp -O2 -fPIC -shared %S/Inputs/dynamic_functions_other.cpp -o %t.so
// RUN: %falxpp -O2 -I%S/Inputs %s %t.so -o %t.linked
// RUN: env FALX_CACHE_DIR=%t.cache %t.linked | FileCheck %s
#include "dynamic_functions.hpp"

#include <cstdio>
#include <falx/cache.hpp>

SYCL_EXTERNAL int step(int x) {
  return x;
}
static int local(int x) {
  return -x;
}

int main() {
  sycl::queue queue;
  int* result = sycl::malloc_shared<int>(1, queue);
  const auto run = [&](const sycl::jit::dynamic_function_config& functions) {
    queue.single_task(functions.apply([=] { *result = step(4); })).wait();
    return *result;
  };
  sycl::jit::dynamic_function_config functions;
  const sycl::jit::dynamic_function dynamic{&step};

  functions.define(&step, &from_other_file);
  // CHECK: other file's 50 30
  std::printf("other file's %d %d\n", run(functions), run_in_other_file(queue, result, functions));
  functions.define(&step, &local);
  // CHECK: local -4 -2
  std::printf("local %d %d\n", run(functions), run_in_other_file(queue, result, functions));
  functions.define(dynamic.id(), local_of_other_file());
  // CHECK: other local 500 300
  std::printf("other local %d %d\n", run(functions), run_in_other_file(queue, result, functions));
  functions.define(&step, &in_both_files);
  // CHECK: inline 1004 1002
  std::printf("inline %d %d\n", run(functions), run_in_other_file(queue, result, functions));

  // CHECK: own 4 2
  const sycl::jit::dynamic_function_config none;
  std::printf("own %d %d\n", run(none), run_in_other_file(queue, result, none));
  // COLD: compiled 10
  // WARM: compiled 0
  std::printf("compiled %d\n", static_cast<int>(falx::jit_compilations()));
  sycl::free(result, queue);
}
