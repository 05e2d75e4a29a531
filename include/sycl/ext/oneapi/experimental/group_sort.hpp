// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/experimental/group_helpers_sorters.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>

/// \file
/// SYCL extension sycl_ext_oneapi_group_sort. All work-items of the group call these together. A group with
/// memory (group_with_scratchpad) sorts by the default sorter, a group alone by the sorter that is passed.

namespace sycl::ext::oneapi::experimental {

namespace detail {

template <class T>
using if_helper = std::enable_if_t<is_group_helper_v<T>, int>;
template <class T>
using if_group = std::enable_if_t<is_group_v<T>, int>;
template <class T>
using if_property_list = std::enable_if_t<is_property_list_v<T>, int>;
template <class T>
using if_comparison = std::enable_if_t<!is_property_list_v<T>, int>;
template <class T>
inline constexpr bool is_span = false;
template <class T, std::size_t Extent>
inline constexpr bool is_span<span<T, Extent>> = true;
template <class T>
using if_value = std::enable_if_t<!is_span<T>, int>;

} // namespace detail

/// Sorts [first, last), which is the same for all work-items.
template <class GroupHelper, class Ptr, class Compare = detail::less, detail::if_helper<GroupHelper> = 0>
inline void joint_sort(GroupHelper gh, Ptr first, Ptr last, Compare comp = {}) {
  default_sorters::joint_sorter<Compare>(gh.get_memory(), comp)(gh.get_group(), first, last);
}
template <class Group, class Ptr, class Sorter, detail::if_group<Group> = 0>
inline void joint_sort(Group g, Ptr first, Ptr last, Sorter sorter) {
  sorter(g, first, last);
}

/// The value that comes to the work-item's place when those of all are sorted.
template <class GroupHelper, class T, class Compare = detail::less, detail::if_helper<GroupHelper> = 0,
          detail::if_value<T> = 0>
inline T sort_over_group(GroupHelper gh, T value, Compare comp = {}) {
  return default_sorters::group_sorter<T, Compare>(gh.get_memory(), comp)(gh.get_group(), value);
}
template <class Group, class T, class Sorter, detail::if_group<Group> = 0, detail::if_value<T> = 0>
inline T sort_over_group(Group g, T value, Sorter sorter) {
  return sorter(g, value);
}

/// Several values of each work-item, placed as input_data_placement and output_data_placement say.
template <class GroupHelper, class T, std::size_t ElementsPerWorkItem, class Compare,
          class Properties = empty_properties_t, detail::if_helper<GroupHelper> = 0,
          detail::if_comparison<Compare> = 0, detail::if_property_list<Properties> = 0>
inline void sort_over_group(GroupHelper gh, span<T, ElementsPerWorkItem> values, Compare comp,
                            Properties properties = {}) {
  default_sorters::group_sorter<T, Compare, ElementsPerWorkItem>(gh.get_memory(), comp)(gh.get_group(),
                                                                                        values, properties);
}
template <class GroupHelper, class T, std::size_t ElementsPerWorkItem, class Properties = empty_properties_t,
          detail::if_helper<GroupHelper> = 0, detail::if_property_list<Properties> = 0>
inline void sort_over_group(GroupHelper gh, span<T, ElementsPerWorkItem> values, Properties properties = {}) {
  sort_over_group(gh, values, detail::less(), properties);
}
template <class Group, class T, std::size_t ElementsPerWorkItem, class Sorter,
          class Properties = empty_properties_t, detail::if_group<Group> = 0,
          detail::if_property_list<Properties> = 0>
inline void sort_over_group(Group g, span<T, ElementsPerWorkItem> values, Sorter sorter,
                            Properties properties = {}) {
  sorter(g, values, properties);
}

/// Sorts keys, each with a value that goes where it goes.
template <class GroupHelper, class T, class U, class Compare = detail::less,
          detail::if_helper<GroupHelper> = 0, detail::if_value<T> = 0>
inline std::tuple<T, U> sort_key_value_over_group(GroupHelper gh, T key, U value, Compare comp = {}) {
  return default_sorters::group_key_value_sorter<T, U, Compare>(gh.get_memory(), comp)(gh.get_group(), key,
                                                                                       value);
}
template <class Group, class T, class U, class Sorter, detail::if_group<Group> = 0, detail::if_value<T> = 0>
inline std::tuple<T, U> sort_key_value_over_group(Group g, T key, U value, Sorter sorter) {
  return sorter(g, key, value);
}

template <class GroupHelper, class T, class U, std::size_t ElementsPerWorkItem, class Compare,
          class Properties = empty_properties_t, detail::if_helper<GroupHelper> = 0,
          detail::if_comparison<Compare> = 0, detail::if_property_list<Properties> = 0>
inline void sort_key_value_over_group(GroupHelper gh, span<T, ElementsPerWorkItem> keys,
                                      span<U, ElementsPerWorkItem> values, Compare comp,
                                      Properties properties = {}) {
  default_sorters::group_key_value_sorter<T, U, Compare, ElementsPerWorkItem>(gh.get_memory(), comp)(
      gh.get_group(), keys, values, properties);
}
template <class GroupHelper, class T, class U, std::size_t ElementsPerWorkItem,
          class Properties = empty_properties_t, detail::if_helper<GroupHelper> = 0,
          detail::if_property_list<Properties> = 0>
inline void sort_key_value_over_group(GroupHelper gh, span<T, ElementsPerWorkItem> keys,
                                      span<U, ElementsPerWorkItem> values, Properties properties = {}) {
  sort_key_value_over_group(gh, keys, values, detail::less(), properties);
}
template <class Group, class T, class U, std::size_t ElementsPerWorkItem, class Sorter,
          class Properties = empty_properties_t, detail::if_group<Group> = 0,
          detail::if_property_list<Properties> = 0>
inline void sort_key_value_over_group(Group g, span<T, ElementsPerWorkItem> keys,
                                      span<U, ElementsPerWorkItem> values, Sorter sorter,
                                      Properties properties = {}) {
  sorter(g, keys, values, properties);
}

} // namespace sycl::ext::oneapi::experimental
