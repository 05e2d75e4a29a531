// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/device.hpp"
#include "sycl/feature_test.hpp"

/// \file
/// SYCL extension sycl_ext_oneapi_current_device.

namespace sycl::ext::oneapi::experimental::this_thread {

/// What this thread has set; before that, the default device.
device get_current_device();
/// For this thread alone.
void set_current_device(device dev);

} // namespace sycl::ext::oneapi::experimental::this_thread
