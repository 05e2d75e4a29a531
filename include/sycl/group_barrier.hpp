// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/atomic_fence.hpp"
#include "sycl/detail/group_traits.hpp"

namespace sycl {

/// Waits until all work-items of the group arrive, and orders their memory accesses in \p fence_scope (SYCL
/// 2020 §4.17.3.1). Every work-item of the group must call it.
template <class Group, std::enable_if_t<is_group_v<std::decay_t<Group>>, int> = 0>
inline void group_barrier(Group g, memory_scope fence_scope = std::decay_t<Group>::fence_scope) {
  // The barrier builtins order memory within the group; a wider scope takes fences around them.
  const bool wider = fence_scope > std::decay_t<Group>::fence_scope;
  if (wider)
    atomic_fence(memory_order::seq_cst, fence_scope);
  if constexpr (detail::is_sub_group_part_v<Group>)
    part_barrier(g);
  else if constexpr (detail::is_sub_group_v<Group>)
    __falx_sub_group_barrier();
  else
    __falx_work_group_barrier();
  if (wider)
    atomic_fence(memory_order::seq_cst, fence_scope);
}

} // namespace sycl
