// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialization_constants.hpp"

static constexpr sycl::specialization_id<int> own(20);

SYCL_EXTERNAL int read_other(sycl::kernel_handler handler) {
  return handler.get_specialization_constant<own>() + handler.get_specialization_constant<shared>();
}
void set_other(sycl::handler& group, int value) {
  group.set_specialization_constant<own>(value);
}
void launch_elsewhere(sycl::queue& queue, int* result) {
  queue.single_task<defined_elsewhere>([=](sycl::kernel_handler handler) { *result = read_other(handler); }).wait();
}
