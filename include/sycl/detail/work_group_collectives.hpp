// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/detail/sub_group_collectives.hpp"
#include "sycl/group.hpp"

/// \file
/// Collectives of one work-group: a step within sub-groups, then one value per sub-group through scratch
/// memory. All share the scratch memory, so each begins with the barrier that ends the one before.
///
/// With one work-item per sub-group (a scalar CPU compilation) the leader does the work of the second step
/// alone, which keeps it linear in the group's size.

namespace sycl::detail {

template <class T>
inline T* group_scratch() {
  static_assert(std::is_trivially_copyable_v<T>, "group functions move trivially copyable values only");
  static_assert(alignof(T) <= 64, "group functions move values aligned to at most 64 bytes");
  return static_cast<T*>(__falx_group_scratch(sizeof(T)));
}

/// What the work-item with linear id \p source passed.
template <class T, int D>
inline T work_group_broadcast(const group<D>& g, const T& value, std::size_t source) {
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
  T* scratch = group_scratch<T>();
  __falx_work_group_barrier();
  scratch[g.get_local_linear_id()] = value;
  __falx_work_group_barrier();
  return source < g.get_local_linear_range() ? scratch[source] : value;
}

/// Combines the values of the first \p active work-items (at least 1), for every work-item.
template <class T, class Operation, int D>
inline T work_group_reduce(const group<D>& g, T value, Operation operation, std::size_t active) {
  T* scratch = group_scratch<T>();
  const std::size_t self = g.get_local_linear_id();
  if (__falx_sub_group_max_size() == 1) {
    __falx_work_group_barrier();
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
  const std::uint32_t lane = __falx_sub_group_local_id();
  const std::uint32_t width = __falx_sub_group_size();
  const std::size_t first = self - lane;
  const std::size_t mine = active > first ? active - first : 0;
  value = sub_group_reduce(value, operation, mine < width ? static_cast<std::uint32_t>(mine) : width);
  __falx_work_group_barrier();
  if (lane == 0)
    scratch[__falx_sub_group_id()] = value;
  __falx_work_group_barrier();
  // Every sub-group combines all partial results; the first sub-groups are all full.
  const std::uint32_t full = __falx_sub_group_max_size();
  const std::uint32_t partials = static_cast<std::uint32_t>((active + full - 1) / full);
  value = scratch[lane < partials ? lane : 0];
  for (std::uint32_t i = lane + width; i < partials; i += width)
    value = static_cast<T>(operation(value, scratch[i]));
  return sub_group_reduce(value, operation, partials < width ? partials : width);
}

/// Combines the values of the work-items up to and including this one, in order of linear ids.
template <class T, class Operation, int D>
inline T work_group_inclusive_scan(const group<D>& g, T value, Operation operation) {
  T* scratch = group_scratch<T>();
  if (__falx_sub_group_max_size() == 1) {
    const std::size_t self = g.get_local_linear_id();
    __falx_work_group_barrier();
    scratch[self] = value;
    __falx_work_group_barrier();
    if (self == 0) {
      const std::size_t count = g.get_local_linear_range();
      for (std::size_t i = 1; i < count; ++i) {
        value = static_cast<T>(operation(value, scratch[i]));
        scratch[i] = value;
      }
    }
    __falx_work_group_barrier();
    return scratch[self];
  }
  value = sub_group_inclusive_scan(value, operation);
  const std::uint32_t group_index = __falx_sub_group_id();
  __falx_work_group_barrier();
  if (__falx_sub_group_local_id() == __falx_sub_group_size() - 1)
    scratch[group_index] = value;
  __falx_work_group_barrier();
  if (group_index > 0) {
    T before = scratch[0];
    for (std::uint32_t i = 1; i < group_index; ++i)
      before = static_cast<T>(operation(before, scratch[i]));
    value = static_cast<T>(operation(before, value));
  }
  return value;
}

} // namespace sycl::detail
