// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

/// \file
/// Descriptors for kernel::get_info (SYCL 2020 §4.11.13.2).

namespace sycl {
template <int Dimensions>
class range;
} // namespace sycl

namespace sycl::info::kernel {

/// Throws errc::invalid: kernel functions have no numbered arguments.
struct num_args {
  using return_type = std::uint32_t;
};
/// The attributes of the kernel function, as they are written in OpenCL, separated by blanks.
struct attributes {
  using return_type = std::string;
};

} // namespace sycl::info::kernel

namespace sycl::info::kernel_device_specific {

/// Throws errc::invalid: only built-in kernels and custom devices have one.
struct global_work_size {
  using return_type = range<3>;
};
struct work_group_size {
  using return_type = std::size_t;
};
/// What the attribute reqd_work_group_size demands, its extents first and ones behind them; {0, 0, 0} without
/// the attribute.
struct compile_work_group_size {
  using return_type = range<3>;
};
struct preferred_work_group_size_multiple {
  using return_type = std::size_t;
};
/// In bytes per work-item.
struct private_mem_size {
  using return_type = std::size_t;
};
struct max_num_sub_groups {
  using return_type = std::uint32_t;
};
struct compile_num_sub_groups {
  using return_type = std::uint32_t;
};
struct max_sub_group_size {
  using return_type = std::uint32_t;
};
struct compile_sub_group_size {
  using return_type = std::uint32_t;
};

} // namespace sycl::info::kernel_device_specific
