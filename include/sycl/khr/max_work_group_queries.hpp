// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/info/device.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/range.hpp"

#include <cstddef>

/// \file
/// SYCL extension sycl_khr_max_work_group_queries: descriptors for device::get_info. Any nd_range whose
/// numbers of work-groups keep both limits can be launched.

namespace sycl::khr::info::device {

/// Most work-groups in each dimension, in the order of a sycl::range.
template <int Dimensions = 3>
struct max_work_group_range {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "nd_ranges have 1, 2 or 3 dimensions");
  using return_type = range<Dimensions>;
};
/// Most work-groups in all.
struct max_work_group_range_size {
  using return_type = std::size_t;
};

} // namespace sycl::khr::info::device
