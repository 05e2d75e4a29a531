// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/sycl.hpp>

using namespace sycl::ext::oneapi::experimental;

static device_global<float> factor;
device_global<int[4]> counts;

void scale(sycl::queue& queue, float* values) {
  queue.parallel_for<class scale_kernel>(1000, [=](sycl::id<1> i) {
    values[i] *= factor;
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(counts[i & 3]) += 1;
  });
}
