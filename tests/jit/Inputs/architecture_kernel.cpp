// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A value for each kind of device.
#include <sycl/khr/split_headers/queue.hpp>

#include <sycl/ext/oneapi/experimental/device_architecture.hpp>

void by_architecture(sycl::queue& q, int* p) {
  using namespace sycl::ext::oneapi::experimental;
  q.single_task<class by_architecture_kernel>([=] {
    if_architecture_is<architecture::nvidia_gpu_sm_90, architecture::intel_gpu_pvc>([=] {
      *p = 190;
    }).else_if_architecture_is<architecture::nvidia_gpu_sm_80>([=] {
        *p = 180;
      }).otherwise([=] { *p = 100; });
  });
}
