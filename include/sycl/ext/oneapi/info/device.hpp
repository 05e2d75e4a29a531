// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/feature_test.hpp"
#include "sycl/info/device.hpp"

#include <cstddef>
#include <vector>

/// \file
/// Descriptors for device::get_info of sycl_ext_oneapi_num_compute_units, sycl_ext_oneapi_composite_device
/// and sycl_ext_oneapi_max_work_group_query.

namespace sycl::ext::oneapi::info::device {

/// Cores of a CPU, multiprocessors of a GPU: what work-groups are spread over.
struct num_compute_units {
  using return_type = std::size_t;
};

} // namespace sycl::ext::oneapi::info::device

namespace sycl::ext::oneapi::experimental::info::device {

/// Of a composite device; empty for others.
struct component_devices {
  using return_type = std::vector<sycl::device>;
};
/// Of a component of one; others throw errc::invalid.
struct composite_device {
  using return_type = sycl::device;
};

/// Most work-groups of an nd_range in each dimension.
template <int Dimensions = 3>
struct max_work_groups {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "nd_ranges have 1, 2 or 3 dimensions");
  using return_type = id<Dimensions>;
};
/// And in all.
struct max_global_work_groups {
  using return_type = std::size_t;
};

} // namespace sycl::ext::oneapi::experimental::info::device
