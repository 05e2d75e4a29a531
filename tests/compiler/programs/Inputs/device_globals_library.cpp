// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_globals.hpp"

static device_global<int[100]> state;

extern "C" int run_library(sycl::queue* queue, int* of_everywhere) {
  queue->single_task([] {
    for (int& element : state.get())
      element += 1;
    everywhere = everywhere + 10;
  });
  queue->copy(everywhere, of_everywhere);
  int result = 0;
  queue->copy(state, &result, 1, 99);
  queue->wait();
  return result;
}
