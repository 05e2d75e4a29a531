// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes are read from every place where they may stand. The fields after the alignment are accessors, required
// and preferred work-group size with the fastest dimension first, and sub-group size.
// RUN: %clang -std=c++17 -Wall -Wextra -Werror -Wno-c++23-extensions -fplugin=%plugin -fpass-plugin=%plugin -c %s -o %t.o
// RUN: llvm-objcopy --dump-section .llvm.offloading=%t.image %t.o
// RUN: strings -n 4 %t.image | FileCheck %s
#include "Inputs/kernel.hpp"

#define SIZE 4
#define SUB_GROUP(n) [[sycl::reqd_sub_group_size(n)]]

struct on_declaration {
  [[sycl::reqd_work_group_size(8, SIZE, 2)]] void operator()() const {}
};
template <int N>
struct on_type {
  void operator()() const [[intel::reqd_sub_group_size(N)]] {}
};
template <int N>
struct dependent_declaration {
  [[sycl::reqd_work_group_size(N, N + 1)]] void operator()() const {}
};
template <class Kernel>
struct wrapper {
  using user_kernel = Kernel;
  void operator()() const { kernel(); }
  Kernel kernel;
};

/// Overloads are kernels of their own.
struct overloaded {
  [[sycl::reqd_work_group_size(12)]] void operator()() const {}
  [[sycl::reqd_work_group_size(34, 5)]] void operator()(int) const {}
};
struct calls_with_int {
  using user_kernel = overloaded;
  void operator()() const { kernel(1); }
  overloaded kernel;
};

template <int N, class T>
struct outer {
  template <int M>
  void submit() {
    constexpr int product = N * M;
    run([] [[sycl::device_has()]] () [[sycl::reqd_work_group_size(N, M, product), sycl::work_group_size_hint(sizeof(T))]] {});
  }
};

int main() {
  // CHECK-DAG: 2,4,8{{[[:space:]]+}}0{{[[:space:]]+}}on_declaration
  run(on_declaration{});
  // CHECK-DAG: 32{{[[:space:]]+}}on_type<32>
  run(on_type<32>{});
  // CHECK-DAG: 8,7{{[[:space:]]+}}0{{[[:space:]]+}}dependent_declaration<7>
  run(dependent_declaration<7>{});
  // CHECK-DAG: 30,6,5{{[[:space:]]+}}8{{[[:space:]]+}}0{{[[:space:]]+}}(lambda at {{.*}}:[[@LINE-11]]:9)
  outer<5, long>().submit<6>();
  // CHECK-DAG: 5,34{{[[:space:]]+}}0{{[[:space:]]+}}overloaded
  run(calls_with_int{});
  // CHECK-DAG: 12{{[[:space:]]+}}0{{[[:space:]]+}}overloaded
  run(overloaded{});
  // CHECK-DAG: 16{{[[:space:]]+}}(lambda at {{.*}}:[[@LINE+1]]:7)
  run([] SUB_GROUP(16) () {});
  // CHECK-DAG: 4{{[[:space:]]+}}(lambda at {{.*}}:[[@LINE+1]]:7)
  run([]() SUB_GROUP(SIZE) {});
  // CHECK-DAG: 3{{[[:space:]]+}}0{{[[:space:]]+}}(lambda at {{.*}}:[[@LINE+1]]:7)
  run([]() [[using sycl: reqd_work_group_size(3), vec_type_hint(float)]] [[intel::kernel_args_restrict]] {});
  // CHECK-DAG: 64{{[[:space:]]+}}(lambda at {{.*}}:[[@LINE+1]]:7)
  run([]() noexcept [[sycl::reqd_sub_group_size(64)]] -> void {});
  // CHECK-DAG: 2{{[[:space:]]+}}(lambda at {{.*}}:[[@LINE+1]]:24)
  const auto another = []() [[sycl::kernel, sycl::reqd_sub_group_size(2)]] [[sycl::named_sub_group_size(primary)]] {};
  run(wrapper<decltype(another)>{another});
}
