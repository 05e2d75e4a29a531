// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/event.hpp"
#include "sycl/feature_test.hpp"

namespace sycl {
class queue;
} // namespace sycl

namespace sycl::ext::oneapi::experimental {

/// Marks a point in time between what was submitted before and what comes later
/// (sycl_ext_oneapi_profiling_tag): all three times of the event are when it was reached. The queue need not
/// have enable_profiling, as all devices have aspect::ext_oneapi_queue_profiling_tag.
event submit_profiling_tag(const queue& q);

} // namespace sycl::ext::oneapi::experimental
