// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/detail/group_traits.hpp"

/// \file
/// How group functions order memory. They are synchronization points (SYCL 2020 §4.17.3): what any work-item
/// of the group did to local or global memory before the call happens before the operation, and that before
/// what any of them does behind the call.
///
/// - *Values* (reduce_over_group and the like; collective_* in group_collectives.hpp): the operation does not
///   touch the program's memory, so one barrier of the group is enough, wherever it stands. Work-groups of
///   several sub-groups have it for the sake of scratch memory, one sub-group calls its own for nothing else.
/// - *Ranges* (joint_*): synchronize() stands before the first access to an element, and a barrier behind the
///   last one. Of reductions and votes that is the barrier of the collective that combines what work-items
///   have read; scans, which write last, call synchronize() again.
///
/// A barrier that another one precedes with no access to memory between, as at the seam of two calls, is
/// taken out of GPUs' code (jit/targets/ptx/redundant_barriers.cpp).

namespace sycl::detail {

/// Where a collective begins.
enum class group_state {
  /// Work-items may be anywhere, and still read scratch memory behind another collective.
  at_work,
  /// The caller has called synchronize(), and scratch memory has not been used since.
  synchronized
};

/// True if the group is one sub-group, which needs no scratch memory.
inline bool is_one_sub_group() {
  return __falx_sub_group_max_size() > 1 && __falx_sub_group_count() == 1;
}

/// Waits for all work-items of the group and orders their accesses to memory.
template <class Group>
inline void synchronize(const Group& g) {
  if constexpr (is_sub_group_part_v<Group>)
    part_barrier(g);
  else if (is_sub_group_v<Group> || is_one_sub_group())
    __falx_sub_group_barrier();
  else
    __falx_work_group_barrier();
}

} // namespace sycl::detail
