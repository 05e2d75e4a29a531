// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "falx/kernel.hpp"

#define EXTERNAL __attribute__((annotate("falx.external")))

template <class Function>
struct kernel {
  [[clang::annotate("falx.kernel", 1, 2)]] static void entry(const Function& function) { function(); }
};

void launch(const falx::kernel_descriptor* descriptor, const void* function);

template <class Function>
void run(const Function& function) {
  launch(falx::falx_kernel_descriptor_of(reinterpret_cast<void (*)(const void*)>(&kernel<Function>::entry), "name"),
         &function);
}
