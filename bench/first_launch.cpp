// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The smallest useful program, timed as a whole process: start, compile or load the kernel, run it, exit.
#include <sycl/sycl.hpp>

int main() {
  sycl::queue queue(sycl::cpu_selector_v);
  int* values = sycl::malloc_shared<int>(1024, queue);
  queue.parallel_for(sycl::range<1>(1024), [=](sycl::id<1> i) { values[i] = static_cast<int>(i[0]) * 2; })
      .wait();
  const bool right = values[0] == 0 && values[1023] == 2046;
  sycl::free(values, queue);
  return right ? 0 : 1;
}
