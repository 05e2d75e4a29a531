// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of pointers that were made elsewhere, and configurations of configured kernels.
// RUN: not %clang -std=c++17 -I%root/include -fplugin=%plugin -fsyntax-only %s 2>&1 | FileCheck %s
#include <sycl/sycl.hpp>

#include <vector>

void operation(int*);
inline void first(int* p) { *p = 1; }

void host(sycl::queue& queue, int* p) {
  sycl::jit::dynamic_function_config c;
  const std::vector<void (*)(int*)> list{&first, &first};
  // CHECK-DAG: static assertion failed{{.*}}: a vector of function pointers does not say at compile time which functions it holds
  // CHECK-DAG: dynamic_function_lists.cpp:[[@LINE+1]]:5: note:
  c.define_as_call_sequence(&operation, list);
  // CHECK-DAG: static assertion failed{{.*}}: only one dynamic_function_config may be applied to a kernel
  // CHECK-DAG: dynamic_function_lists.cpp:[[@LINE+1]]:23: note:
  queue.single_task(c.apply(c.apply([=] { operation(p); })));
}
