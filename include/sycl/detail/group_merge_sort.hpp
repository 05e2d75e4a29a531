// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/group_barrier.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Sorting by all work-items of a group. Runs that are sorted are merged two by two: each element finds out
/// how many of the other run's come before it, and goes to its place in a second array. No element waits for
/// another one, so all work-items have the same to do; equal elements keep their order.

namespace sycl::detail {

/// How many of the \p count elements from \p first, which are sorted, come before \p x; of equal ones those
/// do if \p after_equals.
template <class T, class Compare>
inline std::size_t elements_before(const T* first, std::size_t count, const T& x, bool after_equals,
                                   Compare& comp) {
  std::size_t before = 0;
  while (count > 0) {
    const std::size_t half = count / 2;
    const T& middle = first[before + half];
    const bool is_before =
        after_equals ? !static_cast<bool>(comp(x, middle)) : static_cast<bool>(comp(middle, x));
    before += is_before ? half + 1 : 0;
    count = is_before ? count - half - 1 : half;
  }
  return before;
}

/// Sorts \p count elements of \p from, which the group's work-items have written behind a barrier; \p to is
/// memory for as many. \returns which of the two has them in the end, behind a barrier.
template <class T, class Group, class Compare>
inline T* group_merge_sort(const Group& g, T* from, T* to, std::size_t count, Compare comp) {
  const std::size_t self = g.get_local_linear_id();
  const std::size_t step = g.get_local_linear_range();
  for (std::size_t width = 1; width < count; width *= 2) {
    for (std::size_t i = self; i < count; i += step) {
      const std::size_t begin = i & ~(2 * width - 1); // of the two runs
      const std::size_t middle = begin + width < count ? begin + width : count;
      const std::size_t end = begin + 2 * width < count ? begin + 2 * width : count;
      const bool is_second = i >= middle;
      const T x = from[i];
      const std::size_t others = is_second ? elements_before(from + begin, middle - begin, x, true, comp)
                                           : elements_before(from + middle, end - middle, x, false, comp);
      to[i - (is_second ? middle - begin : 0) + others] = x;
    }
    group_barrier(g);
    T* const sorted = to;
    to = from;
    from = sorted;
  }
  return from;
}

/// The first address in \p memory that suits a T.
template <class T>
inline T* aligned_memory(void* memory) noexcept {
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(memory);
  return reinterpret_cast<T*>((address + alignof(T) - 1) & ~(alignof(T) - 1));
}

} // namespace sycl::detail
