// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

namespace sycl {

/// What has to be done to a kernel bundle before its kernels can run (SYCL 2020 §4.11.3).
enum class bundle_state : char { input, object, executable };

template <bundle_state State>
class kernel_bundle;
template <bundle_state State>
class device_image;

} // namespace sycl
