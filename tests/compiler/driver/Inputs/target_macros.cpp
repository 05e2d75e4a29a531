// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/sycl.hpp>

#ifdef __SYCL_DEVICE_ONLY__
#ifdef __SPIR__
#warning for SPIR
#endif
#ifdef __NVPTX__
#warning for NVIDIA
#endif
constexpr bool ON_DEVICE = true;
#else
constexpr bool ON_DEVICE = false;
#endif

int main() {
  sycl::queue queue;
  bool* seen = sycl::malloc_shared<bool>(1, queue);
  queue
      .single_task([=] {
#ifdef __SYCL_DEVICE_ONLY__
        int unused;
#endif
        *seen = ON_DEVICE;
      })
      .wait();
  return *seen ? 0 : 1;
}
