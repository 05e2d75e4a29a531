// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/experimental/ballot_group.hpp"
#include "sycl/ext/oneapi/experimental/chunk.hpp"
#include "sycl/ext/oneapi/experimental/fixed_size_group.hpp"
#include "sycl/ext/oneapi/experimental/fragment.hpp"
#include "sycl/ext/oneapi/experimental/opportunistic_group.hpp"
#include "sycl/ext/oneapi/experimental/tangle.hpp"
#include "sycl/ext/oneapi/experimental/tangle_group.hpp"

/// \file
/// SYCL extensions sycl_ext_oneapi_non_uniform_groups and sycl_ext_oneapi_tangle, and their traits.

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
