// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/group_traits.hpp"
#include "sycl/group.hpp"
#include "sycl/sub_group.hpp"

#include <type_traits>

/// \file
/// Which groups kernels have by themselves, and which programs make of others
/// (sycl_ext_oneapi_non_uniform_groups).

namespace sycl::ext::oneapi::experimental {

/// Whether T is a group that kernels have by themselves.
template <class T>
struct is_fixed_topology_group : std::false_type {};
template <int Dimensions>
struct is_fixed_topology_group<group<Dimensions>> : std::true_type {};
template <>
struct is_fixed_topology_group<sub_group> : std::true_type {};
template <class T>
inline constexpr bool is_fixed_topology_group_v = is_fixed_topology_group<T>::value;

/// Whether T is a group that programs make of others.
template <class T>
struct is_user_constructed_group : std::bool_constant<is_group_v<T> && !is_fixed_topology_group_v<T>> {};
template <class T>
inline constexpr bool is_user_constructed_group_v = is_user_constructed_group<T>::value;

} // namespace sycl::ext::oneapi::experimental
