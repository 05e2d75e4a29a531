// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -E shows the source as it was written, and what it shows compiles the same.
// RUN: %clang -std=c++17 -fplugin=%plugin -E %s -o %t.ii
// RUN: FileCheck %s < %t.ii
// RUN: %clang -std=c++17 -fplugin=%plugin -fpass-plugin=%plugin -c %t.ii -o %t.o
// RUN: llvm-objcopy --dump-section .llvm.offloading=%t.image %t.o
// RUN: strings -n 4 %t.image | FileCheck %s --check-prefix=KERNEL
#include "Inputs/kernel.hpp"

// CHECK: {{\[\[}}sycl::reqd_sub_group_size(16)]]
#define SIZE 16
int main() {
  run([]() [[sycl::reqd_sub_group_size(SIZE)]] {});
}
// KERNEL: 16{{[[:space:]]+}}(lambda at
