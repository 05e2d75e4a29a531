// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/acpp/scoped_parallelism/s_group.hpp"

/// \file
/// Work for the items of a group, and for its parts (AdaptiveCpp, SCOPED_PARALLELISM_V2). All physical
/// work-items of the group call these functions together.

namespace sycl {

/// Calls \p f once with the sycl::s_item of each logical work-item of the group.
template <class Properties, class NestedF>
void distribute_items(const s_group<Properties>&, NestedF f) noexcept {
  f(detail::scoped_access::make_item<Properties::dimensions, Properties::scope>());
}
/// Then waits for all of them.
template <class Properties, class NestedF>
void distribute_items_and_wait(const s_group<Properties>& g, NestedF f) noexcept {
  distribute_items(g, f);
  group_barrier(g);
}

/// Calls \p f with each of the groups that \p g consists of: sub-groups or scalar groups of a work-group,
/// scalar groups of the others.
template <class Properties, class NestedF>
void distribute_groups(const s_group<Properties>&, NestedF f) noexcept {
  constexpr int D = Properties::dimensions;
  constexpr memory_scope scope = Properties::scope;
  using access = detail::scoped_access;
  if constexpr (scope == memory_scope::work_group) {
    const std::size_t width = __falx_sub_group_max_size();
    if (width > 1 && detail::local_range<D>()[D - 1] % width == 0)
      f(access::make_group<D, memory_scope::sub_group, scope>());
    else
      f(access::make_group<D, memory_scope::work_item, scope>());
  } else {
    f(access::make_group<D, memory_scope::work_item, scope>());
  }
}
template <class Properties, class NestedF>
void distribute_groups_and_wait(const s_group<Properties>& g, NestedF f) noexcept {
  distribute_groups(g, f);
  group_barrier(g);
}

/// Calls \p f once in the group.
template <class Properties, class F>
void single_item(const s_group<Properties>& g, F f) noexcept {
  if (g.leader())
    f();
}
template <class Properties, class F>
void single_item_and_wait(const s_group<Properties>& g, F f) noexcept {
  single_item(g, f);
  group_barrier(g);
}

} // namespace sycl
