// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/group_traits.hpp"
#include "sycl/detail/sub_group_collectives.hpp"
#include "sycl/detail/work_group_collectives.hpp"

/// \file
/// One spelling of each collective for sub-groups and work-groups.

namespace sycl::detail {

/// The work-item \p source of the group; \p source is the same for all work-items.
template <class Group, class T>
inline T collective_broadcast(const Group& g, const T& value, std::size_t source) {
  if constexpr (is_sub_group_v<Group>)
    return sub_group_shuffle(value, static_cast<std::uint32_t>(source));
  else
    return work_group_broadcast(g, value, source);
}

/// As broadcast, but each work-item names its own source.
template <class Group, class T>
inline T collective_select(const Group& g, const T& value, std::size_t source) {
  if constexpr (is_sub_group_v<Group>)
    return sub_group_shuffle(value, static_cast<std::uint32_t>(source));
  else
    return work_group_select(g, value, source);
}

/// Combines the values of the first \p active work-items.
template <class Group, class T, class Operation>
inline T collective_reduce(const Group& g, const T& value, Operation operation, std::size_t active) {
  if constexpr (is_sub_group_v<Group>)
    return sub_group_reduce(value, operation, static_cast<std::uint32_t>(active));
  else
    return work_group_reduce(g, value, operation, active);
}

template <class Group, class T, class Operation>
inline T collective_inclusive_scan(const Group& g, const T& value, Operation operation) {
  if constexpr (is_sub_group_v<Group>)
    return sub_group_inclusive_scan(value, operation);
  else
    return work_group_inclusive_scan(g, value, operation);
}

/// \p first for the first work-item; for others, \p first combined with the values before theirs if
/// \p combine_first, else those values alone.
template <class Group, class T, class Operation>
inline T collective_exclusive_scan(const Group& g, const T& value, const T& first, bool combine_first,
                                   Operation operation) {
  const T inclusive = collective_inclusive_scan(g, value, operation);
  const std::size_t self = g.get_local_linear_id();
  const T before = collective_select(g, inclusive, self == 0 ? 0 : self - 1);
  if (self == 0)
    return first;
  return combine_first ? static_cast<T>(operation(first, before)) : before;
}

template <class Group>
inline bool collective_any(const Group& g, bool predicate) {
  if constexpr (is_sub_group_v<Group>) {
    return __falx_sub_group_ballot(predicate) != 0;
  } else {
    const auto either = [](std::uint32_t x, std::uint32_t y) { return x | y; };
    return work_group_reduce(g, static_cast<std::uint32_t>(predicate), either, g.get_local_linear_range()) !=
           0;
  }
}

} // namespace sycl::detail
