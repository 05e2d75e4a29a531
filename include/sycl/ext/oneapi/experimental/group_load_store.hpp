// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/group_traits.hpp"
#include "sycl/ext/oneapi/experimental/data_placement.hpp"
#include "sycl/group_barrier.hpp"
#include "sycl/span.hpp"
#include "sycl/vec.hpp"

#include <cstddef>
#include <iterator>
#include <type_traits>

/// \file
/// Elements of memory to and from the work-items of a group (SYCL extension
/// sycl_ext_oneapi_group_load_store).

namespace sycl::ext::oneapi::experimental {

namespace detail {

/// Which of a group's elements is the work-item's number \p i of \p count.
template <class Properties, class Group>
inline std::ptrdiff_t placed_element(const Group& g, std::size_t i, std::size_t count) {
  const std::size_t self = g.get_local_linear_id();
  return static_cast<std::ptrdiff_t>(
      is_blocked<data_placement_key, Properties> ? self * count + i : i * g.get_local_linear_range() + self);
}

template <class Group, class Value, class Iterator, class Properties>
inline constexpr bool can_load =
    is_group_v<Group> && is_property_list_v<Properties> &&
    std::is_convertible_v<typename std::iterator_traits<Iterator>::reference, Value>;
template <class Group, class Value, class Iterator, class Properties>
inline constexpr bool can_store =
    is_group_v<Group> && is_property_list_v<Properties> &&
    std::is_assignable_v<typename std::iterator_traits<Iterator>::reference, const Value&>;

} // namespace detail

/// Each work-item's elements of those from \p in_ptr on: as many that follow each other, or with
/// data_placement_striped as many at distances of the group's size. All work-items of the group call it
/// together, with the same \p in_ptr.
template <class Group, class InputIteratorT, class OutputT, std::size_t ElementsPerWorkItem,
          class Properties = empty_properties_t,
          std::enable_if_t<detail::can_load<Group, OutputT, InputIteratorT, Properties>, int> = 0>
inline void group_load(Group g, InputIteratorT in_ptr, span<OutputT, ElementsPerWorkItem> out,
                       Properties properties = {}) {
  static_cast<void>(properties);
  group_barrier(g);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<OutputT>(in_ptr[detail::placed_element<Properties>(g, i, out.size())]);
  group_barrier(g);
}
template <class Group, class InputIteratorT, class OutputT, class Properties = empty_properties_t,
          std::enable_if_t<detail::can_load<Group, OutputT, InputIteratorT, Properties>, int> = 0>
inline void group_load(Group g, InputIteratorT in_ptr, OutputT& out, Properties properties = {}) {
  group_load(g, in_ptr, span<OutputT, 1>(&out, 1), properties);
}
template <class Group, class InputIteratorT, class OutputT, int N, class Properties = empty_properties_t,
          std::enable_if_t<detail::can_load<Group, OutputT, InputIteratorT, Properties>, int> = 0>
inline void group_load(Group g, InputIteratorT in_ptr, vec<OutputT, N>& out, Properties properties = {}) {
  OutputT elements[static_cast<std::size_t>(N)];
  group_load(g, in_ptr, span<OutputT, static_cast<std::size_t>(N)>(elements), properties);
  for (int i = 0; i < N; ++i)
    out[i] = elements[i];
}

/// The same the other way round.
template <class Group, class InputT, std::size_t ElementsPerWorkItem, class OutputIteratorT,
          class Properties = empty_properties_t,
          std::enable_if_t<detail::can_store<Group, InputT, OutputIteratorT, Properties>, int> = 0>
inline void group_store(Group g, span<InputT, ElementsPerWorkItem> in, OutputIteratorT out_ptr,
                        Properties properties = {}) {
  static_cast<void>(properties);
  group_barrier(g);
  for (std::size_t i = 0; i < in.size(); ++i)
    out_ptr[detail::placed_element<Properties>(g, i, in.size())] = in[i];
  group_barrier(g);
}
template <class Group, class InputT, class OutputIteratorT, class Properties = empty_properties_t,
          std::enable_if_t<detail::can_store<Group, InputT, OutputIteratorT, Properties>, int> = 0>
inline void group_store(Group g, const InputT& in, OutputIteratorT out_ptr, Properties properties = {}) {
  group_store(g, span<const InputT, 1>(&in, 1), out_ptr, properties);
}
template <class Group, class InputT, int N, class OutputIteratorT, class Properties = empty_properties_t,
          std::enable_if_t<detail::can_store<Group, InputT, OutputIteratorT, Properties>, int> = 0>
inline void group_store(Group g, const vec<InputT, N>& in, OutputIteratorT out_ptr,
                        Properties properties = {}) {
  InputT elements[static_cast<std::size_t>(N)];
  for (int i = 0; i < N; ++i)
    elements[i] = in[i];
  group_store(g, span<const InputT, static_cast<std::size_t>(N)>(elements), out_ptr, properties);
}

} // namespace sycl::ext::oneapi::experimental
