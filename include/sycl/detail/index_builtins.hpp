// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/id.hpp"
#include "sycl/range.hpp"

/// \file
/// The index builtins as SYCL indices. Axis x is the fastest-moving one, the last SYCL dimension.

namespace sycl::detail {

/// Index in the whole range, launch offset included.
template <int D>
inline id<D> global_id() noexcept {
  if constexpr (D == 1)
    return id<1>(__falx_global_id_x());
  else if constexpr (D == 2)
    return id<2>(__falx_global_id_y(), __falx_global_id_x());
  else
    return id<3>(__falx_global_id_z(), __falx_global_id_y(), __falx_global_id_x());
}

template <int D>
inline range<D> global_range() noexcept {
  if constexpr (D == 1)
    return range<1>(__falx_global_range_x());
  else if constexpr (D == 2)
    return range<2>(__falx_global_range_y(), __falx_global_range_x());
  else
    return range<3>(__falx_global_range_z(), __falx_global_range_y(), __falx_global_range_x());
}

template <int D>
inline id<D> global_offset() noexcept {
  if constexpr (D == 1)
    return id<1>(__falx_global_offset_x());
  else if constexpr (D == 2)
    return id<2>(__falx_global_offset_y(), __falx_global_offset_x());
  else
    return id<3>(__falx_global_offset_z(), __falx_global_offset_y(), __falx_global_offset_x());
}

/// Index in the work-group.
template <int D>
inline id<D> local_id() noexcept {
  if constexpr (D == 1)
    return id<1>(__falx_local_id_x());
  else if constexpr (D == 2)
    return id<2>(__falx_local_id_y(), __falx_local_id_x());
  else
    return id<3>(__falx_local_id_z(), __falx_local_id_y(), __falx_local_id_x());
}

template <int D>
inline range<D> local_range() noexcept {
  if constexpr (D == 1)
    return range<1>(__falx_local_range_x());
  else if constexpr (D == 2)
    return range<2>(__falx_local_range_y(), __falx_local_range_x());
  else
    return range<3>(__falx_local_range_z(), __falx_local_range_y(), __falx_local_range_x());
}

template <int D>
inline id<D> group_id() noexcept {
  if constexpr (D == 1)
    return id<1>(__falx_group_id_x());
  else if constexpr (D == 2)
    return id<2>(__falx_group_id_y(), __falx_group_id_x());
  else
    return id<3>(__falx_group_id_z(), __falx_group_id_y(), __falx_group_id_x());
}

/// Number of work-groups.
template <int D>
inline range<D> group_range() noexcept {
  if constexpr (D == 1)
    return range<1>(__falx_group_range_x());
  else if constexpr (D == 2)
    return range<2>(__falx_group_range_y(), __falx_group_range_x());
  else
    return range<3>(__falx_group_range_z(), __falx_group_range_y(), __falx_group_range_x());
}

/// Where the calling thread of control begins in the loops over the work-items of parallel_for_work_group,
/// and how far it steps.
template <int D>
inline id<D> work_items_first() noexcept {
  if constexpr (D == 1)
    return id<1>(__falx_work_items_first_x());
  else if constexpr (D == 2)
    return id<2>(__falx_work_items_first_y(), __falx_work_items_first_x());
  else
    return id<3>(__falx_work_items_first_z(), __falx_work_items_first_y(), __falx_work_items_first_x());
}

template <int D>
inline range<D> work_items_step() noexcept {
  if constexpr (D == 1)
    return range<1>(__falx_work_items_step_x());
  else if constexpr (D == 2)
    return range<2>(__falx_work_items_step_y(), __falx_work_items_step_x());
  else
    return range<3>(__falx_work_items_step_z(), __falx_work_items_step_y(), __falx_work_items_step_x());
}

} // namespace sycl::detail
