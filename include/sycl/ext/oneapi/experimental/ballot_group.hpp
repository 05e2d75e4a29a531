// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/experimental/fragment.hpp"

namespace sycl {

namespace ext::oneapi::experimental {

/// A fragment by its first name (SYCL extension sycl_ext_oneapi_non_uniform_groups).
template <class ParentGroup>
class ballot_group : public fragment<ParentGroup> {
  friend sycl::detail::part_access;
  using fragment<ParentGroup>::fragment;
};

/// binary_partition by its first name.
template <class Group>
inline ballot_group<Group> get_ballot_group(Group group, bool predicate) noexcept {
  static_assert(std::is_same_v<Group, sub_group>, "get_ballot_group takes a sub_group");
  return sycl::detail::part_access::make<ballot_group<Group>>(
      sycl::detail::members_that_agree(group, predicate), predicate, 2u);
}

} // namespace ext::oneapi::experimental

template <class ParentGroup>
struct is_group<ext::oneapi::experimental::ballot_group<ParentGroup>> : std::true_type {};

} // namespace sycl
