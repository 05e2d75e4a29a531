// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_globals.hpp"

SYCL_EXTERNAL device_global<int> counter;
static device_global<int> own;

int count() {
  everywhere = everywhere + 1;
  return own = own + 1;
}

int calls(sycl::queue& queue) {
  int result = 0;
  queue.copy(own, &result).wait();
  return result;
}

void use_scoped(sycl::queue& queue) {
  queue.single_task([] { scoped_in_two = 1; }).wait();
}
