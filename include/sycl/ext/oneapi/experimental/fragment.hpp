// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/sub_group_part.hpp"
#include "sycl/ext/oneapi/experimental/group_topology.hpp"
#include "sycl/group_barrier.hpp"

#include <cstdint>
#include <type_traits>

/// \file
/// Any work-items of a sub-group as a group (SYCL extension sycl_ext_oneapi_non_uniform_groups).

namespace sycl {

namespace ext::oneapi::experimental {

/// Some work-items of the sub-group \p ParentGroup, or of a fragment of one. The group functions and
/// algorithms take it where its members call them together, whatever the rest of the sub-group does.
template <class ParentGroup>
class fragment : public sycl::detail::selected_part {
public:
  id_type get_group_id() const noexcept { return index_; }
  range_type get_group_range() const noexcept { return count_; }
  linear_id_type get_group_linear_id() const noexcept { return index_; }
  linear_id_type get_group_linear_range() const noexcept { return count_; }

protected:
  friend sycl::detail::part_access;
  fragment(std::uint64_t members, std::uint32_t index, std::uint32_t count) noexcept
      : selected_part(members), index_(index), count_(count) {}

private:
  std::uint32_t index_;
  std::uint32_t count_;
};

} // namespace ext::oneapi::experimental

template <class ParentGroup>
struct is_group<ext::oneapi::experimental::fragment<ParentGroup>> : std::true_type {};

namespace detail {

/// The members of \p parent for whom \p predicate is what it is for the calling one.
inline std::uint64_t members_that_agree(const sub_group&, bool predicate) noexcept {
  __falx_sub_group_barrier();
  const std::uint64_t those = __falx_sub_group_ballot(predicate);
  // The last sub-group may have fewer work-items than others.
  return predicate ? those : ~those & (~std::uint64_t(0) >> (64 - __falx_sub_group_size()));
}
inline std::uint64_t members_that_agree(const selected_part& parent, bool predicate) noexcept {
  part_barrier(parent);
  const std::uint64_t members = part_access::members(parent);
  const std::uint64_t those = members_ballot(predicate, members);
  return predicate ? those : members & ~those;
}

} // namespace detail

namespace ext::oneapi::experimental {

/// Those members of \p parent for whom \p predicate is what it is for the caller: number 1 where it is true,
/// 0 elsewhere. All members call it together.
template <class ParentGroup>
inline fragment<ParentGroup> binary_partition(ParentGroup parent, bool predicate) noexcept {
  static_assert(std::is_same_v<ParentGroup, sub_group> ||
                    std::is_base_of_v<sycl::detail::selected_part, ParentGroup>,
                "binary_partition takes a sub_group or a fragment");
  return sycl::detail::part_access::make<fragment<ParentGroup>>(
      sycl::detail::members_that_agree(parent, predicate), predicate, 2u);
}

} // namespace ext::oneapi::experimental
} // namespace sycl
