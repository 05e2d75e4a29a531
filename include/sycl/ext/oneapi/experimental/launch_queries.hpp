// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"
#include "sycl/detail/accessor_geometry.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/id.hpp"
#include "sycl/kernel.hpp"
#include "sycl/queue.hpp"
#include "sycl/range.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// SYCL extension sycl_ext_oneapi_launch_queries: descriptors for kernel::ext_oneapi_get_info. All are 0 for
/// a kernel that the queue's device cannot run, or not in groups of that size.

namespace sycl {

namespace detail {

/// Work-items that a group may have in all, and by axis.
std::size_t launch_group_size(const kernel& object, const queue& q);
falx::extent3 launch_group_extents(const kernel& object, const queue& q);
/// How many groups can run at once, and so wait for each other. Compiles the kernel for the size. Throws
/// errc::invalid for groups without work-items.
std::size_t launch_groups(const kernel& object, const queue& q, const falx::extent3& local,
                          std::size_t local_memory);
std::uint32_t launch_sub_group_size(const kernel& object, const queue& q, const falx::extent3& local);
std::uint32_t launch_sub_groups(const kernel& object, const queue& q, const falx::extent3& local);

} // namespace detail

namespace ext::oneapi::experimental::info::kernel {

/// Work-items of a group in each dimension.
template <std::uint32_t Dimensions>
struct max_work_item_sizes {
  using return_type = id<static_cast<int>(Dimensions)>;
  static return_type query(const sycl::kernel& object, const queue& q) {
    const falx::extent3 extents = sycl::detail::launch_group_extents(object, q);
    if constexpr (Dimensions == 1)
      return {extents.x};
    else if constexpr (Dimensions == 2)
      return {extents.y, extents.x};
    else
      return {extents.z, extents.y, extents.x};
  }
};

struct max_work_group_size {
  using return_type = std::size_t;
  static return_type query(const sycl::kernel& object, const queue& q) {
    return sycl::detail::launch_group_size(object, q);
  }
};

/// Groups that run at once, of the size and with so many bytes of local memory beside the kernel's own.
struct max_num_work_groups {
  using return_type = std::size_t;
  template <int Dimensions>
  static return_type query(const sycl::kernel& object, const queue& q, const range<Dimensions>& r,
                           std::size_t bytes) {
    return sycl::detail::launch_groups(object, q, sycl::detail::extent_of(r), bytes);
  }
};

struct max_sub_group_size {
  using return_type = std::uint32_t;
  template <int Dimensions>
  static return_type query(const sycl::kernel& object, const queue& q, const range<Dimensions>& r,
                           std::size_t) {
    return sycl::detail::launch_sub_group_size(object, q, sycl::detail::extent_of(r));
  }
};

/// Of a group.
struct num_sub_groups {
  using return_type = std::uint32_t;
  template <int Dimensions>
  static return_type query(const sycl::kernel& object, const queue& q, const range<Dimensions>& r,
                           std::size_t) {
    return sycl::detail::launch_sub_groups(object, q, sycl::detail::extent_of(r));
  }
};

} // namespace ext::oneapi::experimental::info::kernel

/// Where DPC++ has them.
namespace ext::oneapi::experimental::info::kernel_queue_specific {

using info::kernel::max_num_work_groups;
using info::kernel::max_sub_group_size;
using info::kernel::max_work_group_size;
using info::kernel::max_work_item_sizes;
using info::kernel::num_sub_groups;

/// Of groups of the largest size.
struct max_num_work_group_sync {
  using return_type = std::size_t;
  static return_type query(const sycl::kernel& object, const queue& q) {
    return sycl::detail::launch_groups(object, q, {sycl::detail::launch_group_size(object, q), 1, 1}, 0);
  }
  template <int Dimensions>
  static return_type query(const sycl::kernel& object, const queue& q, const range<Dimensions>& r,
                           std::size_t bytes) {
    return max_num_work_groups::query(object, q, r, bytes);
  }
};

} // namespace ext::oneapi::experimental::info::kernel_queue_specific
} // namespace sycl
