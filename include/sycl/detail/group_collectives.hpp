// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/group_synchronization.hpp"
#include "sycl/detail/group_traits.hpp"
#include "sycl/detail/sub_group_collectives.hpp"
#include "sycl/detail/work_group_collectives.hpp"

/// \file
/// One spelling of each collective for sub-groups, work-groups and parts of sub-groups, whose functions are
/// found by the type of the group (sub_group_part.hpp). Behind what the caller has read or written each has a
/// barrier of the group (group_synchronization.hpp).

namespace sycl::detail {

/// The work-item \p source of the group; \p source is the same for all work-items.
template <class Group, class T>
inline T collective_broadcast(const Group& g, const T& value, std::size_t source) {
  if constexpr (is_sub_group_v<Group>) {
    __falx_sub_group_barrier();
    return sub_group_shuffle(value, static_cast<std::uint32_t>(source));
  } else if constexpr (is_sub_group_part_v<Group>) {
    part_barrier(g);
    return part_select(g, value, source);
  } else {
    return work_group_broadcast(g, value, source);
  }
}

/// As broadcast, but each work-item names its own source.
template <class Group, class T>
inline T collective_select(const Group& g, const T& value, std::size_t source) {
  if constexpr (is_sub_group_v<Group>) {
    __falx_sub_group_barrier();
    return sub_group_shuffle(value, static_cast<std::uint32_t>(source));
  } else if constexpr (is_sub_group_part_v<Group>) {
    part_barrier(g);
    return part_select(g, value, source);
  } else {
    return work_group_select(g, value, source);
  }
}

/// From the work-item \p distance places behind this one; any value where there is none.
template <class Group, class T>
inline T collective_shift_left(const Group& g, const T& value, typename Group::linear_id_type distance) {
  if constexpr (is_sub_group_v<Group>) {
    __falx_sub_group_barrier();
    return sub_group_shuffle_down(value, distance);
  } else if constexpr (is_sub_group_part_v<Group>) {
    part_barrier(g);
    return part_select(g, value, g.get_local_linear_id() + distance);
  } else {
    return work_group_select(g, value, g.get_local_linear_id() + distance);
  }
}
/// From the work-item \p distance places before this one; any value where there is none.
template <class Group, class T>
inline T collective_shift_right(const Group& g, const T& value, typename Group::linear_id_type distance) {
  if constexpr (is_sub_group_v<Group>) {
    __falx_sub_group_barrier();
    return sub_group_shuffle_up(value, distance);
  } else if constexpr (is_sub_group_part_v<Group>) {
    part_barrier(g);
    return part_select(g, value, g.get_local_linear_id() - distance);
  } else {
    return work_group_select(g, value, g.get_local_linear_id() - distance);
  }
}
template <class Group, class T>
inline T collective_permute_by_xor(const Group& g, const T& value, typename Group::linear_id_type mask) {
  if constexpr (is_sub_group_v<Group>) {
    __falx_sub_group_barrier();
    return sub_group_shuffle_xor(value, mask);
  } else if constexpr (is_sub_group_part_v<Group>) {
    part_barrier(g);
    return part_select(g, value, g.get_local_linear_id() ^ mask);
  } else {
    return work_group_select(g, value, g.get_local_linear_id() ^ mask);
  }
}

/// Combines the values of the first \p active work-items (at least 1).
template <group_state State = group_state::at_work, class Group, class T, class Operation>
inline T collective_reduce(const Group& g, const T& value, Operation operation, std::size_t active) {
  if constexpr (is_sub_group_v<Group>) {
    __falx_sub_group_barrier();
    return sub_group_reduce(value, operation, static_cast<std::uint32_t>(active));
  } else if constexpr (is_sub_group_part_v<Group>) {
    part_barrier(g);
    return part_reduce(g, value, operation, active);
  } else {
    return work_group_reduce<State>(g, value, operation, active);
  }
}

/// Combines the values of all work-items.
template <group_state State = group_state::at_work, class Group, class T, class Operation>
inline T collective_reduce(const Group& g, const T& value, Operation operation) {
  if constexpr (is_sub_group_v<Group>) {
    __falx_sub_group_barrier();
    return sub_group_reduce(value, operation);
  } else if constexpr (is_sub_group_part_v<Group>) {
    part_barrier(g);
    return part_reduce(g, value, operation);
  } else {
    return work_group_reduce<State>(g, value, operation);
  }
}

/// Exclusive results and the total only if they are taken; \p half as that of work_group_scan.
template <bool Exclusive, bool Total, group_state State = group_state::at_work, class Group, class T,
          class Operation>
inline scan_result<T> collective_scan(const Group& g, const T& value, Operation operation,
                                      std::uint32_t half = 0) {
  if constexpr (is_sub_group_v<Group>) {
    __falx_sub_group_barrier();
    return sub_group_scan<Exclusive, Total>(value, operation);
  } else if constexpr (is_sub_group_part_v<Group>) {
    part_barrier(g);
    const T inclusive = part_inclusive_scan(g, value, operation);
    scan_result<T> result{inclusive, inclusive, inclusive};
    if constexpr (Exclusive)
      result.exclusive = part_value_before(g, inclusive);
    if constexpr (Total)
      result.total = part_last_value(g, inclusive);
    return result;
  } else {
    return work_group_scan<Exclusive, Total, State>(g, value, operation, half);
  }
}

template <class Group, class T, class Operation>
inline T collective_inclusive_scan(const Group& g, const T& value, Operation operation) {
  return collective_scan<false, false>(g, value, operation).inclusive;
}

/// \p first for the first work-item; for others, \p first combined with the values before theirs if
/// \p combine_first, else those values alone.
template <class Group, class T, class Operation>
inline T collective_exclusive_scan(const Group& g, const T& value, const T& first, bool combine_first,
                                   Operation operation) {
  const T before = collective_scan<true, false>(g, value, operation).exclusive;
  if (g.get_local_linear_id() == 0)
    return first;
  return combine_first ? static_cast<T>(operation(first, before)) : before;
}

template <group_state State = group_state::at_work, class Group>
inline bool collective_any(const Group& g, bool predicate) {
  if constexpr (!is_sub_group_v<Group> && !is_sub_group_part_v<Group>)
    if (__falx_work_group_votes())
      return __falx_work_group_any(predicate);
  return collective_reduce<State>(g, predicate, logical_or<bool>());
}
template <class Group>
inline bool collective_all(const Group& g, bool predicate) {
  if constexpr (!is_sub_group_v<Group> && !is_sub_group_part_v<Group>)
    if (__falx_work_group_votes())
      return !__falx_work_group_any(!predicate);
  return collective_reduce(g, predicate, logical_and<bool>());
}

} // namespace sycl::detail
