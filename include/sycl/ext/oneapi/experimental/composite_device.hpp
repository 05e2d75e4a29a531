// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/device.hpp"
#include "sycl/feature_test.hpp"

#include <vector>

namespace sycl::ext::oneapi::experimental {

/// Devices that are made of several others (sycl_ext_oneapi_composite_device). Falx has none: several GPUs
/// are several devices, and a queue over all of them is AdaptiveCpp's ACPP_EXT_MULTI_DEVICE_QUEUE.
std::vector<device> get_composite_devices();

} // namespace sycl::ext::oneapi::experimental
