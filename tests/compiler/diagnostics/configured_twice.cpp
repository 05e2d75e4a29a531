// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Configurations of configured kernels.
// RUN: not %clang -std=c++17 -I%root/include -fplugin=%plugin -fsyntax-only %s 2>&1 | FileCheck %s
#include <sycl/sycl.hpp>

void operation(int*);

void host(sycl::queue& queue, int* p) {
  sycl::jit::dynamic_function_config c;
  // CHECK-DAG: static assertion failed{{.*}}: only one dynamic_function_config may be applied to a kernel
  // CHECK-DAG: configured_twice.cpp:[[@LINE+1]]:23: note:
  queue.single_task(c.apply(c.apply([=] { operation(p); })));
}
