// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/group.hpp"
#include "sycl/sub_group.hpp"

#include <type_traits>

namespace sycl {

/// Whether T is a type of groups that the group functions take (SYCL 2020 §4.17.3).
template <class T>
struct is_group : std::false_type {};
template <int Dimensions>
struct is_group<group<Dimensions>> : std::true_type {};
template <>
struct is_group<sub_group> : std::true_type {};
template <class T>
inline constexpr bool is_group_v = is_group<T>::value;

namespace detail {

template <class Group>
inline constexpr bool is_sub_group_v = std::is_same_v<std::decay_t<Group>, sub_group>;

/// The base of groups of some of a sub-group's work-items (sub_group_part.hpp).
class sub_group_part {};
struct part_access;

template <class Group>
inline constexpr bool is_sub_group_part_v = std::is_base_of_v<sub_group_part, std::decay_t<Group>>;

template <class Group>
using enable_if_group = std::enable_if_t<is_group_v<std::decay_t<Group>>, int>;

} // namespace detail
} // namespace sycl
