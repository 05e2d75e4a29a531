// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An assertion that fails in a kernel says so and ends the program (sycl_ext_oneapi_assert).
// RUN: %falxpp -O2 %s -o %t
// RUN: env FALX_DEVICE_SELECTOR=cpu not --crash %t 2>&1 | FileCheck %s
// RUN: %falxpp -O2 -DNDEBUG %s -o %t.without
// RUN: env FALX_DEVICE_SELECTOR=cpu %t.without | FileCheck %s --check-prefix=WITHOUT
#include <sycl/sycl.hpp>

#include <cassert>
#include <cstdio>

int main() {
  sycl::queue queue;
  if (!queue.get_device().has(sycl::aspect::ext_oneapi_native_assert))
    return 1;
  queue
      .parallel_for(sycl::nd_range<1>(64, 16),
                    [=](sycl::nd_item<1> item) {
                      const std::size_t i = item.get_global_id(0);
                      assert(i != 37 && "there is no 37");
                      // CHECK: assertion.cpp:[[@LINE-1]]: {{.*}}: global id: [37,0,0], local id: [5,0,0] Assertion `i != 37 && "there is no 37"` failed.
                      if (i == 100)
                        std::printf("never\n");
                    })
      .wait_and_throw();
  // CHECK-NOT: end
  // WITHOUT: end
  std::printf("end\n");
  return 0;
}
