// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/group_algorithms.hpp"

/// \file
/// The group algorithms by their names before SYCL 2020 (SYCL extension sycl_ext_oneapi_group_algorithms).

namespace sycl::ext::oneapi {

template <class Group, sycl::detail::enable_if_group<Group> = 0>
inline bool leader(Group g) {
  return g.leader();
}

#define FALX_VOTE(OLD, NEW)                                                                                  \
  template <class Group, sycl::detail::enable_if_group<Group> = 0>                                           \
  inline bool OLD(Group g, bool pred) {                                                                      \
    return NEW##_group(g, pred);                                                                             \
  }                                                                                                          \
  template <class Group, class T, class Predicate, sycl::detail::enable_if_group<Group> = 0>                 \
  inline bool OLD(Group g, T x, Predicate pred) {                                                            \
    return NEW##_group(g, x, pred);                                                                          \
  }                                                                                                          \
  template <class Group, class Ptr, class Predicate, sycl::detail::enable_if_group<Group> = 0>               \
  inline bool OLD(Group g, Ptr first, Ptr last, Predicate pred) {                                            \
    return joint_##OLD(g, first, last, pred);                                                                \
  }
FALX_VOTE(any_of, any_of)
FALX_VOTE(all_of, all_of)
FALX_VOTE(none_of, none_of)
#undef FALX_VOTE

template <class Group, class T, sycl::detail::enable_if_group<Group> = 0>
inline T broadcast(Group g, T x) {
  return group_broadcast(g, x);
}
template <class Group, class T, sycl::detail::enable_if_group<Group> = 0>
inline T broadcast(Group g, T x, typename Group::linear_id_type local_linear_id) {
  return group_broadcast(g, x, local_linear_id);
}
template <class Group, class T, sycl::detail::enable_if_group<Group> = 0>
inline T broadcast(Group g, T x, typename Group::id_type local_id) {
  return group_broadcast(g, x, local_id);
}

/// Of values, and of ranges, whose ends are pointers.
template <class Group, class T, class BinaryOperation, sycl::detail::enable_if_group<Group> = 0>
inline T reduce(Group g, T x, BinaryOperation op) {
  return reduce_over_group(g, x, op);
}
template <class Group, class V, class T, class BinaryOperation, sycl::detail::enable_if_group<Group> = 0,
          std::enable_if_t<!std::is_pointer_v<V>, int> = 0>
inline T reduce(Group g, V x, T init, BinaryOperation op) {
  return reduce_over_group(g, x, init, op);
}
template <class Group, class T, class BinaryOperation, sycl::detail::enable_if_group<Group> = 0>
inline std::remove_cv_t<T> reduce(Group g, T* first, T* last, BinaryOperation op) {
  return joint_reduce(g, first, last, op);
}
template <class Group, class Ptr, class T, class BinaryOperation, sycl::detail::enable_if_group<Group> = 0>
inline T reduce(Group g, Ptr first, Ptr last, T init, BinaryOperation op) {
  return joint_reduce(g, first, last, init, op);
}

template <class Group, class T, class BinaryOperation, sycl::detail::enable_if_group<Group> = 0>
inline T exclusive_scan(Group g, T x, BinaryOperation op) {
  return exclusive_scan_over_group(g, x, op);
}
template <class Group, class V, class T, class BinaryOperation, sycl::detail::enable_if_group<Group> = 0>
inline T exclusive_scan(Group g, V x, T init, BinaryOperation op) {
  return exclusive_scan_over_group(g, x, init, op);
}
template <class Group, class InPtr, class OutPtr, class BinaryOperation,
          sycl::detail::enable_if_group<Group> = 0>
inline OutPtr exclusive_scan(Group g, InPtr first, InPtr last, OutPtr result, BinaryOperation op) {
  return joint_exclusive_scan(g, first, last, result, op);
}
template <class Group, class InPtr, class OutPtr, class T, class BinaryOperation,
          sycl::detail::enable_if_group<Group> = 0>
inline OutPtr exclusive_scan(Group g, InPtr first, InPtr last, OutPtr result, T init, BinaryOperation op) {
  return joint_exclusive_scan(g, first, last, result, init, op);
}

template <class Group, class T, class BinaryOperation, sycl::detail::enable_if_group<Group> = 0>
inline T inclusive_scan(Group g, T x, BinaryOperation op) {
  return inclusive_scan_over_group(g, x, op);
}
template <class Group, class V, class BinaryOperation, class T, sycl::detail::enable_if_group<Group> = 0>
inline T inclusive_scan(Group g, V x, BinaryOperation op, T init) {
  return inclusive_scan_over_group(g, x, op, init);
}
template <class Group, class InPtr, class OutPtr, class BinaryOperation,
          sycl::detail::enable_if_group<Group> = 0>
inline OutPtr inclusive_scan(Group g, InPtr first, InPtr last, OutPtr result, BinaryOperation op) {
  return joint_inclusive_scan(g, first, last, result, op);
}
template <class Group, class InPtr, class OutPtr, class BinaryOperation, class T,
          sycl::detail::enable_if_group<Group> = 0>
inline OutPtr inclusive_scan(Group g, InPtr first, InPtr last, OutPtr result, BinaryOperation op, T init) {
  return joint_inclusive_scan(g, first, last, result, op, init);
}

} // namespace sycl::ext::oneapi
