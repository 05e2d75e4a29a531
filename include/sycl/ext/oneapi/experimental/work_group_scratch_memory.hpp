// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "falx/launch_value.hpp"
#include "sycl/feature_test.hpp"

/// \file
/// SYCL extension sycl_ext_oneapi_work_group_scratch_memory; its property is one of kernels
/// (kernel_properties/properties.hpp).

namespace sycl::ext::oneapi::experimental {

/// The local memory that property work_group_scratch_size of the launch reserves: the same at each call. A
/// kernel that is launched without the property is refused when it is compiled.
inline void* get_work_group_scratch_memory() {
  return static_cast<char*>(__falx_local_memory()) + __falx_launch_value(falx::WORK_GROUP_SCRATCH);
}

} // namespace sycl::ext::oneapi::experimental
