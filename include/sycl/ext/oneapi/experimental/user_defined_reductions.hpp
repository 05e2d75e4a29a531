// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/experimental/group_with_scratchpad.hpp"
#include "sycl/group_algorithms.hpp"

/// \file
/// SYCL extension sycl_ext_oneapi_user_defined_reductions. Falx's own reductions take any operation and type,
/// so the memory that comes with the group is not needed.

namespace sycl::ext::oneapi::experimental {

template <class GroupHelper, class Ptr, class BinaryOperation,
          std::enable_if_t<is_group_helper_v<GroupHelper>, int> = 0>
inline sycl::detail::element_t<Ptr> joint_reduce(GroupHelper g, Ptr first, Ptr last,
                                                 BinaryOperation binary_op) {
  return sycl::joint_reduce(g.get_group(), first, last, binary_op);
}
template <class GroupHelper, class Ptr, class T, class BinaryOperation,
          std::enable_if_t<is_group_helper_v<GroupHelper>, int> = 0>
inline T joint_reduce(GroupHelper g, Ptr first, Ptr last, T init, BinaryOperation binary_op) {
  return sycl::joint_reduce(g.get_group(), first, last, init, binary_op);
}
template <class GroupHelper, class T, class BinaryOperation,
          std::enable_if_t<is_group_helper_v<GroupHelper>, int> = 0>
inline T reduce_over_group(GroupHelper g, T x, BinaryOperation binary_op) {
  return sycl::reduce_over_group(g.get_group(), x, binary_op);
}
template <class GroupHelper, class V, class T, class BinaryOperation,
          std::enable_if_t<is_group_helper_v<GroupHelper>, int> = 0>
inline T reduce_over_group(GroupHelper g, V x, T init, BinaryOperation binary_op) {
  return sycl::reduce_over_group(g.get_group(), x, init, binary_op);
}

} // namespace sycl::ext::oneapi::experimental
