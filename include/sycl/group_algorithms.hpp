// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/group_collectives.hpp"
#include "sycl/detail/index_access.hpp"
#include "sycl/functional.hpp"

#include <iterator>

/// \file
/// Group functions and algorithms (SYCL 2020 §4.17.3, §4.17.4). All work-items of the group call them
/// together; range arguments of the joint_ forms and initial values are the same for all. All are
/// synchronization points: detail/group_synchronization.hpp says how.

namespace sycl {

namespace detail {
template <class Iterator>
using element_t = std::remove_cv_t<typename std::iterator_traits<Iterator>::value_type>;
} // namespace detail

// Broadcast and permutations (§4.17.3.2, §4.17.4.4 to §4.17.4.6)

/// The leader's value for all.
template <class Group, class T, detail::enable_if_group<Group> = 0>
inline T group_broadcast(Group g, T x) {
  return detail::collective_broadcast(g, x, 0);
}
/// The value of the work-item with linear id \p local_linear_id for all.
template <class Group, class T, detail::enable_if_group<Group> = 0>
inline T group_broadcast(Group g, T x, typename Group::linear_id_type local_linear_id) {
  return detail::collective_broadcast(g, x, local_linear_id);
}
template <class Group, class T, detail::enable_if_group<Group> = 0>
inline T group_broadcast(Group g, T x, typename Group::id_type local_id) {
  return detail::collective_broadcast(g, x,
                                      detail::linearize<Group::dimensions>(local_id, g.get_local_range()));
}

/// The value of the work-item \p delta places after this one; unspecified where there is none.
template <class Group, class T, detail::enable_if_group<Group> = 0>
inline T shift_group_left(Group g, T x, typename Group::linear_id_type delta = 1) {
  return detail::collective_shift_left(g, x, delta);
}
/// The value of the work-item \p delta places before this one; unspecified where there is none.
template <class Group, class T, detail::enable_if_group<Group> = 0>
inline T shift_group_right(Group g, T x, typename Group::linear_id_type delta = 1) {
  return detail::collective_shift_right(g, x, delta);
}
/// The value of the work-item whose linear id is this one's exclusive-or \p mask.
template <class Group, class T, detail::enable_if_group<Group> = 0>
inline T permute_group_by_xor(Group g, T x, typename Group::linear_id_type mask) {
  return detail::collective_permute_by_xor(g, x, mask);
}
template <class Group, class T, detail::enable_if_group<Group> = 0>
inline T select_from_group(Group g, T x, typename Group::id_type remote_local_id) {
  return detail::collective_select(
      g, x, detail::linearize<Group::dimensions>(remote_local_id, g.get_local_range()));
}

// any_of, all_of, none_of (§4.17.4.1 to §4.17.4.3)

template <class Group, detail::enable_if_group<Group> = 0>
inline bool any_of_group(Group g, bool pred) {
  return detail::collective_any(g, pred);
}
template <class Group, class T, class Predicate, detail::enable_if_group<Group> = 0>
inline bool any_of_group(Group g, T x, Predicate pred) {
  return detail::collective_any(g, static_cast<bool>(pred(x)));
}
template <class Group, class Ptr, class Predicate, detail::enable_if_group<Group> = 0>
inline bool joint_any_of(Group g, Ptr first, Ptr last, Predicate pred) {
  detail::synchronize(g);
  const auto count = last - first;
  const auto step = static_cast<decltype(count)>(g.get_local_linear_range());
  bool found = false;
  for (auto i = static_cast<decltype(count + 0)>(g.get_local_linear_id()); i < count && !found; i += step)
    found = static_cast<bool>(pred(first[i]));
  return detail::collective_any<detail::group_state::synchronized>(g, found);
}

template <class Group, detail::enable_if_group<Group> = 0>
inline bool all_of_group(Group g, bool pred) {
  return detail::collective_all(g, pred);
}
template <class Group, class T, class Predicate, detail::enable_if_group<Group> = 0>
inline bool all_of_group(Group g, T x, Predicate pred) {
  return detail::collective_all(g, static_cast<bool>(pred(x)));
}
template <class Group, class Ptr, class Predicate, detail::enable_if_group<Group> = 0>
inline bool joint_all_of(Group g, Ptr first, Ptr last, Predicate pred) {
  return !joint_any_of(g, first, last, [&](const auto& x) { return !static_cast<bool>(pred(x)); });
}

template <class Group, detail::enable_if_group<Group> = 0>
inline bool none_of_group(Group g, bool pred) {
  return !detail::collective_any(g, pred);
}
template <class Group, class T, class Predicate, detail::enable_if_group<Group> = 0>
inline bool none_of_group(Group g, T x, Predicate pred) {
  return !detail::collective_any(g, static_cast<bool>(pred(x)));
}
template <class Group, class Ptr, class Predicate, detail::enable_if_group<Group> = 0>
inline bool joint_none_of(Group g, Ptr first, Ptr last, Predicate pred) {
  return !joint_any_of(g, first, last, pred);
}

// reduce (§4.17.4.7)

template <class Group, class T, class BinaryOperation, detail::enable_if_group<Group> = 0>
inline T reduce_over_group(Group g, T x, BinaryOperation binary_op) {
  return detail::collective_reduce(g, x, binary_op);
}
template <class Group, class V, class T, class BinaryOperation, detail::enable_if_group<Group> = 0>
inline T reduce_over_group(Group g, V x, T init, BinaryOperation binary_op) {
  const T sum = reduce_over_group(g, static_cast<T>(x), binary_op);
  return static_cast<T>(binary_op(init, sum));
}

namespace detail {

/// Combines the \p count > 0 elements from \p first: each work-item a share, then the shares. The group is
/// synchronized.
template <class T, class Group, class Ptr, class BinaryOperation>
inline T joint_reduce_elements(const Group& g, Ptr first, std::size_t count, BinaryOperation binary_op) {
  const std::size_t self = g.get_local_linear_id();
  const std::size_t width = g.get_local_linear_range();
  std::size_t begin = self < count ? self : 0, end = count, step = width;
  if (!is_sub_group_v<Group> && !is_sub_group_part_v<Group> && __falx_sub_groups_in_order()) {
    // Memory in order, too: each sub-group takes a part of it, the last one what is left.
    const sub_group own = index_access::make<sub_group>(0);
    const std::size_t full = __falx_sub_group_max_size(), groups = own.get_group_linear_range();
    if (const std::size_t part = count / (full * groups) * full; part != 0) {
      const bool has_rest = part * groups != count && own.get_group_linear_id() == groups - 1;
      begin = own.get_group_linear_id() * part;
      end = has_rest ? count : begin + part;
      begin += own.get_local_linear_id();
      step = own.get_local_linear_range();
    }
  }
  T sum = static_cast<T>(first[static_cast<std::ptrdiff_t>(begin)]);
  // Several loads on their way at a time.
#pragma clang loop unroll_count(4)
  for (std::size_t i = begin + step; i < end; i += step)
    sum = static_cast<T>(binary_op(sum, static_cast<T>(first[static_cast<std::ptrdiff_t>(i)])));
  return collective_reduce<group_state::synchronized>(g, sum, binary_op, count < width ? count : width);
}

} // namespace detail

/// The combination of the range; the identity, where it is known, if the range is empty.
template <class Group, class Ptr, class BinaryOperation, detail::enable_if_group<Group> = 0>
inline detail::element_t<Ptr> joint_reduce(Group g, Ptr first, Ptr last, BinaryOperation binary_op) {
  using type = detail::element_t<Ptr>;
  detail::synchronize(g);
  if (first == last) {
    if constexpr (has_known_identity_v<BinaryOperation, type>)
      return detail::identity_of<BinaryOperation, type>();
    else
      return type();
  }
  return detail::joint_reduce_elements<type>(g, first, static_cast<std::size_t>(last - first), binary_op);
}
template <class Group, class Ptr, class T, class BinaryOperation, detail::enable_if_group<Group> = 0>
inline T joint_reduce(Group g, Ptr first, Ptr last, T init, BinaryOperation binary_op) {
  detail::synchronize(g);
  if (first == last)
    return init;
  const T sum = detail::joint_reduce_elements<T>(g, first, static_cast<std::size_t>(last - first), binary_op);
  return static_cast<T>(binary_op(init, sum));
}

// scans (§4.17.4.8, §4.17.4.9)

template <class Group, class T, class BinaryOperation, detail::enable_if_group<Group> = 0>
inline T exclusive_scan_over_group(Group g, T x, BinaryOperation binary_op) {
  return detail::collective_exclusive_scan(g, x, detail::identity_of<BinaryOperation, T>(), false, binary_op);
}
template <class Group, class V, class T, class BinaryOperation, detail::enable_if_group<Group> = 0>
inline T exclusive_scan_over_group(Group g, V x, T init, BinaryOperation binary_op) {
  return detail::collective_exclusive_scan(g, static_cast<T>(x), init, true, binary_op);
}
template <class Group, class T, class BinaryOperation, detail::enable_if_group<Group> = 0>
inline T inclusive_scan_over_group(Group g, T x, BinaryOperation binary_op) {
  return detail::collective_inclusive_scan(g, x, binary_op);
}
template <class Group, class V, class T, class BinaryOperation, detail::enable_if_group<Group> = 0>
inline T inclusive_scan_over_group(Group g, V x, BinaryOperation binary_op, T init) {
  return static_cast<T>(binary_op(init, detail::collective_inclusive_scan(g, static_cast<T>(x), binary_op)));
}

namespace detail {

/// One work-item's element of the output, from the group's next elements of the input. \p carry combines
/// everything before them; it counts only if \p has_init. The group is synchronized, and \p half is another
/// one than in the round before.
template <bool Inclusive, class T, class Group, class BinaryOperation>
inline T joint_scan_round(const Group& g, const T& value, T& carry, bool& has_init, BinaryOperation binary_op,
                          std::uint32_t half) {
  const scan_result<T> scan =
      collective_scan<!Inclusive, true, group_state::synchronized>(g, value, binary_op, half);
  T output = Inclusive ? scan.inclusive : scan.exclusive;
  if (!Inclusive && g.get_local_linear_id() == 0)
    output = carry;
  else if (has_init)
    output = static_cast<T>(binary_op(carry, output));
  carry = has_init ? static_cast<T>(binary_op(carry, scan.total)) : scan.total;
  has_init = true;
  return output;
}

/// The rounds of joint_scan where sub-groups run in order: each scans a part of the range alone and passes on
/// its last \p carry.
template <bool Inclusive, class T, class InPtr, class OutPtr, class BinaryOperation>
inline void joint_scan_in_order(const sub_group& g, InPtr first, std::size_t count, OutPtr result, T carry,
                                bool has_init, BinaryOperation binary_op) {
  using difference = std::ptrdiff_t;
  T* carries = group_scratch<T>();
  const std::size_t index = g.get_group_linear_id();
  const std::size_t lane = g.get_local_linear_id();
  const std::size_t width = g.get_local_linear_range();
  // All but the last sub-group are full, and only they have others behind them.
  const std::size_t full = __falx_sub_group_max_size();
  const std::size_t at_once = full * g.get_group_linear_range();
  const std::size_t part = (count + at_once - 1) / at_once * full;
  std::size_t base = index * part < count ? index * part : count;
  const std::size_t end = count - base < part ? count : base + part;
  if (index > 0) {
    carry = carries[index - 1];
    has_init = true;
  }
  for (; end - base >= width; base += width) {
    const T value = static_cast<T>(first[static_cast<difference>(base + lane)]);
    result[static_cast<difference>(base + lane)] =
        joint_scan_round<Inclusive>(g, value, carry, has_init, binary_op, 0);
  }
  if (base < end) {
    const bool has_element = lane < end - base;
    const T value = static_cast<T>(first[static_cast<difference>(has_element ? base + lane : base)]);
    const T output = joint_scan_round<Inclusive>(g, value, carry, has_init, binary_op, 0);
    if (has_element)
      result[static_cast<difference>(base + lane)] = output;
  }
  // After a round in which some had no element, it is not read.
  carries[index] = carry;
}

/// The rounds of joint_scan elsewhere: the group takes as many elements at a time as it has work-items.
template <bool Inclusive, class T, class Group, class InPtr, class OutPtr, class BinaryOperation>
inline void joint_scan_in_rounds(const Group& g, InPtr first, std::size_t count, OutPtr result, T carry,
                                 bool has_init, BinaryOperation binary_op) {
  const std::size_t self = g.get_local_linear_id();
  const std::size_t width = g.get_local_linear_range();
  std::uint32_t half = 0;
  for (std::size_t base = 0; base < count; base += width, half ^= 1) {
    const std::size_t index = base + self;
    const T value = static_cast<T>(first[static_cast<std::ptrdiff_t>(index < count ? index : base)]);
    // After the last round, in which some had no element, the carry is not read.
    const T output = joint_scan_round<Inclusive>(g, value, carry, has_init, binary_op, half);
    if (index < count)
      result[static_cast<std::ptrdiff_t>(index)] = output;
  }
}

/// Scans a range. \p carry combines everything before the current elements; it counts only from the second
/// round on unless \p has_init. A work-item writes only the element that it has read, so the range may be
/// scanned in place.
template <bool Inclusive, class T, class Group, class InPtr, class OutPtr, class BinaryOperation>
inline OutPtr joint_scan(const Group& g, InPtr first, InPtr last, OutPtr result, T carry, bool has_init,
                         BinaryOperation binary_op) {
  const std::size_t count = static_cast<std::size_t>(last - first);
  synchronize(g);
  if (!is_sub_group_v<Group> && !is_sub_group_part_v<Group> && __falx_sub_groups_in_order())
    joint_scan_in_order<Inclusive>(index_access::make<sub_group>(0), first, count, result, carry, has_init,
                                   binary_op);
  else
    joint_scan_in_rounds<Inclusive>(g, first, count, result, carry, has_init, binary_op);
  synchronize(g);
  return result + static_cast<std::ptrdiff_t>(count);
}

} // namespace detail

template <class Group, class InPtr, class OutPtr, class BinaryOperation, detail::enable_if_group<Group> = 0>
inline OutPtr joint_exclusive_scan(Group g, InPtr first, InPtr last, OutPtr result,
                                   BinaryOperation binary_op) {
  using type = detail::element_t<OutPtr>;
  return detail::joint_scan<false, type>(g, first, last, result, detail::identity_of<BinaryOperation, type>(),
                                         false, binary_op);
}
template <class Group, class InPtr, class OutPtr, class T, class BinaryOperation,
          detail::enable_if_group<Group> = 0>
inline OutPtr joint_exclusive_scan(Group g, InPtr first, InPtr last, OutPtr result, T init,
                                   BinaryOperation binary_op) {
  return detail::joint_scan<false, T>(g, first, last, result, init, true, binary_op);
}
template <class Group, class InPtr, class OutPtr, class BinaryOperation, detail::enable_if_group<Group> = 0>
inline OutPtr joint_inclusive_scan(Group g, InPtr first, InPtr last, OutPtr result,
                                   BinaryOperation binary_op) {
  using type = detail::element_t<OutPtr>;
  return detail::joint_scan<true, type>(g, first, last, result, type(), false, binary_op);
}
template <class Group, class InPtr, class OutPtr, class T, class BinaryOperation,
          detail::enable_if_group<Group> = 0>
inline OutPtr joint_inclusive_scan(Group g, InPtr first, InPtr last, OutPtr result, BinaryOperation binary_op,
                                   T init) {
  return detail::joint_scan<true, T>(g, first, last, result, init, true, binary_op);
}

} // namespace sycl
