// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/detail/group_synchronization.hpp"
#include "sycl/detail/sub_group_collectives.hpp"
#include "sycl/group.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// \file
/// Collectives of one work-group: a step within sub-groups, then one value per sub-group through scratch
/// memory. All share the scratch memory, so each begins with the barrier that ends the one before, unless the
/// group is synchronized. Behind the accesses of its callers to memory each has a barrier, also in a group of
/// one sub-group (group_synchronization.hpp).
///
/// Where sub-groups run in order, each passes on what the ones up to it add up to, and no second step is
/// needed. With one work-item per sub-group (a scalar CPU compilation) the leader does the work of the second
/// step alone, which keeps it linear in the group's size.

namespace sycl::detail {

template <class T>
inline T* group_scratch() {
  static_assert(std::is_trivially_copyable_v<T>, "group functions move trivially copyable values only");
  static_assert(alignof(T) <= 64, "group functions move values aligned to at most 64 bytes");
  return static_cast<T*>(__falx_group_scratch(sizeof(T)));
}

/// Waits until no work-item reads scratch memory any more.
template <group_state State>
inline void free_scratch() {
  if constexpr (State != group_state::synchronized)
    __falx_work_group_barrier();
}

/// Combines \p value, which a sub-group's work-items have in common, with what the sub-groups before this one
/// passed; \p sums holds the results, for those behind it and, after a barrier, for all. Sub-groups must run
/// in order.
template <class T, class Operation>
inline void pass_on(T* sums, T value, Operation operation) {
  const std::uint32_t index = __falx_sub_group_id();
  if (index > 0)
    value = static_cast<T>(operation(sums[index - 1], value));
  sums[index] = value;
}

/// What the work-item with linear id \p source passed.
template <class T, int D>
inline T work_group_broadcast(const group<D>& g, const T& value, std::size_t source) {
  if (is_one_sub_group()) {
    __falx_sub_group_barrier();
    return sub_group_shuffle(value, static_cast<std::uint32_t>(source));
  }
  T* scratch = group_scratch<T>();
  __falx_work_group_barrier();
  if (g.get_local_linear_id() == source)
    scratch[0] = value;
  __falx_work_group_barrier();
  return scratch[0];
}

/// What the work-item with linear id \p source passed, \p source differing between work-items; any value if
/// there is no such work-item.
template <class T, int D>
inline T work_group_select(const group<D>& g, const T& value, std::size_t source) {
  if (is_one_sub_group()) {
    __falx_sub_group_barrier();
    return sub_group_shuffle(value, static_cast<std::uint32_t>(source));
  }
  T* scratch = group_scratch<T>();
  __falx_work_group_barrier();
  scratch[g.get_local_linear_id()] = value;
  __falx_work_group_barrier();
  return source < g.get_local_linear_range() ? scratch[source] : value;
}

/// The second step of work_group_reduce: every sub-group combines the \p count partial results. The group's
/// last sub-group may have fewer work-items than there are partial results.
template <class T, class Operation>
inline T combine_partials(const T* partials, std::uint32_t count, Operation operation) {
  const std::uint32_t lane = __falx_sub_group_local_id();
  const std::uint32_t width = __falx_sub_group_size();
  T value = partials[lane < count ? lane : 0];
  for (std::uint32_t i = lane + width; i < count; i += width)
    value = static_cast<T>(operation(value, partials[i]));
  return sub_group_reduce(value, operation, count < width ? count : width);
}

/// Combines what \p reduce gives in the first \p partials sub-groups, for every work-item. Sub-groups have
/// more than one work-item.
template <group_state State, class Operation, class Reduce>
inline auto work_group_combine(std::uint32_t partials, Operation operation, Reduce reduce) {
  using type = decltype(reduce());
  type* scratch = group_scratch<type>();
  if (__falx_sub_groups_in_order() && !is_one_sub_group()) {
    free_scratch<State>();
    pass_on(scratch, reduce(), operation);
    __falx_work_group_barrier();
    return scratch[partials - 1];
  }
  // Before any barrier: who comes early need not wait for that.
  const type value = reduce();
  if (is_one_sub_group()) {
    __falx_sub_group_barrier();
    return value;
  }
  free_scratch<State>();
  if (__falx_sub_group_local_id() == 0)
    scratch[__falx_sub_group_id()] = value;
  __falx_work_group_barrier();
  return combine_partials(scratch, partials, operation);
}

/// Combines the values of the first \p active work-items (at least 1), for every work-item.
template <group_state State = group_state::at_work, class T, class Operation, int D>
inline T work_group_reduce(const group<D>& g, T value, Operation operation, std::size_t active) {
  T* scratch = group_scratch<T>();
  const std::size_t self = g.get_local_linear_id();
  if (__falx_sub_group_max_size() == 1) {
    free_scratch<State>();
    scratch[self] = value;
    __falx_work_group_barrier();
    if (self == 0) {
      for (std::size_t i = 1; i < active; ++i)
        value = static_cast<T>(operation(value, scratch[i]));
      scratch[0] = value;
    }
    __falx_work_group_barrier();
    return scratch[0];
  }
  const std::size_t first = self - __falx_sub_group_local_id();
  const std::size_t mine = active > first ? active - first : 0;
  const std::uint32_t width = __falx_sub_group_size();
  const std::uint32_t counting = mine < width ? static_cast<std::uint32_t>(mine) : width;
  // The first sub-groups are all full.
  const std::uint32_t full = __falx_sub_group_max_size();
  const std::uint32_t partials = static_cast<std::uint32_t>((active + full - 1) / full);
  return work_group_combine<State>(partials, operation,
                                   [&] { return sub_group_reduce(value, operation, counting); });
}

/// Combines the values of all work-items, for every work-item.
template <group_state State = group_state::at_work, class T, class Operation, int D>
inline T work_group_reduce(const group<D>& g, T value, Operation operation) {
  if (__falx_sub_group_max_size() == 1)
    return work_group_reduce<State>(g, value, operation, g.get_local_linear_range());
  return work_group_combine<State>(__falx_sub_group_count(), operation,
                                   [&] { return sub_group_reduce(value, operation); });
}

/// What a scan gives one work-item. Members that the caller does not take have any value.
template <class T>
struct scan_result {
  /// The values up to and including this work-item's.
  T inclusive;
  /// The values before this work-item's; any value for the first.
  T exclusive;
  /// The values of all work-items.
  T total;
};

template <bool Exclusive, bool Total, class T, class Operation>
inline scan_result<T> sub_group_scan(const T& value, Operation operation) {
  const T inclusive = sub_group_inclusive_scan(value, operation);
  scan_result<T> result{inclusive, inclusive, inclusive};
  if constexpr (Exclusive)
    result.exclusive = sub_group_shuffle_up(inclusive, 1);
  if constexpr (Total)
    result.total = sub_group_shuffle(inclusive, __falx_sub_group_size() - 1);
  return result;
}

/// The leader goes through the values of all work-items.
template <class T, class Operation, int D>
inline scan_result<T> work_group_scan_by_leader(const group<D>& g, T value, Operation operation) {
  T* scratch = group_scratch<T>();
  const std::size_t self = g.get_local_linear_id();
  const std::size_t count = g.get_local_linear_range();
  __falx_work_group_barrier();
  scratch[self] = value;
  __falx_work_group_barrier();
  if (self == 0)
    for (std::size_t i = 1; i < count; ++i) {
      value = static_cast<T>(operation(value, scratch[i]));
      scratch[i] = value;
    }
  __falx_work_group_barrier();
  return {scratch[self], scratch[self == 0 ? 0 : self - 1], scratch[count - 1]};
}

/// Each sub-group begins with what the one before it passes on.
template <bool Exclusive, bool Total, class T, class Operation>
inline scan_result<T> work_group_scan_in_order(const T& value, Operation operation) {
  T* sums = group_scratch<T>();
  const std::uint32_t index = __falx_sub_group_id();
  __falx_work_group_barrier();
  scan_result<T> result = sub_group_scan<Exclusive, true>(value, operation);
  pass_on(sums, result.total, operation);
  if (index > 0) {
    const T before = sums[index - 1];
    result.inclusive = static_cast<T>(operation(before, result.inclusive));
    if constexpr (Exclusive)
      result.exclusive =
          __falx_sub_group_local_id() == 0 ? before : static_cast<T>(operation(before, result.exclusive));
  }
  if constexpr (Total) {
    __falx_work_group_barrier();
    result.total = sums[__falx_sub_group_count() - 1];
  }
  return result;
}

/// Combines the values of the work-items in order of linear ids. Successive scans of a synchronized group
/// alternate between \p half 0 and 1 of scratch memory: who writes one half has been at the barrier behind
/// the other, where no work-item read this one any more. Two halves fit, as there are four work-items or more
/// for each sub-group but the last where sub-groups do not run in order.
template <bool Exclusive, bool Total, group_state State = group_state::at_work, class T, class Operation,
          int D>
inline scan_result<T> work_group_scan(const group<D>& g, T value, Operation operation,
                                      std::uint32_t half = 0) {
  if (__falx_sub_group_max_size() == 1)
    return work_group_scan_by_leader(g, value, operation);
  if (is_one_sub_group()) {
    __falx_sub_group_barrier();
    return sub_group_scan<Exclusive, Total>(value, operation);
  }
  if (__falx_sub_groups_in_order())
    return work_group_scan_in_order<Exclusive, Total>(value, operation);
  scan_result<T> result = sub_group_scan<Exclusive, false>(value, operation);
  const std::uint32_t lane = __falx_sub_group_local_id();
  const std::uint32_t width = __falx_sub_group_size();
  const std::uint32_t index = __falx_sub_group_id();
  const std::uint32_t count = __falx_sub_group_count();
  T* scratch = group_scratch<T>() + half * count;
  free_scratch<State>();
  if (lane == width - 1)
    scratch[index] = result.inclusive;
  __falx_work_group_barrier();

  // What sub-groups before this one add up to, and all of them.
  T before = scratch[0], total = scratch[0];
  if (count <= width) {
    const T partial = scratch[lane < count ? lane : 0];
    const T sums = sub_group_inclusive_scan(partial, operation);
    before = sub_group_shuffle(sums, index == 0 ? 0 : index - 1);
    if constexpr (Total)
      total = sub_group_shuffle(sums, count - 1);
  } else {
    const std::uint32_t end = Total ? count : index;
    for (std::uint32_t i = 1; i < end; ++i) {
      total = static_cast<T>(operation(total, scratch[i]));
      if (i < index)
        before = total;
    }
  }
  if (index > 0) {
    result.inclusive = static_cast<T>(operation(before, result.inclusive));
    result.exclusive = lane == 0 ? before : static_cast<T>(operation(before, result.exclusive));
  }
  result.total = total;
  return result;
}

} // namespace sycl::detail
