// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#pragma GCC system_header

#define SYCL_EXTERNAL [[clang::annotate("falx.external")]]

template <class Function>
struct kernel {
  [[clang::annotate("falx.kernel", 0, 1)]] static void entry(const Function& function) { function(); }
};

void launch(void (*entry)(const void*));

template <class Function>
void run(const Function&) {
  launch(reinterpret_cast<void (*)(const void*)>(&kernel<Function>::entry));
}
