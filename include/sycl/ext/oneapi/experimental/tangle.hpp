// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/experimental/fragment.hpp"

namespace sycl {

namespace ext::oneapi::experimental {

/// The members of \p ParentGroup that take the same way (SYCL extension sycl_ext_oneapi_tangle).
template <class ParentGroup>
class tangle : public fragment<ParentGroup> {
  friend sycl::detail::part_access;
  using fragment<ParentGroup>::fragment;
};

/// All members of \p parent that come to this call. Devices where work-items of a sub-group that take one way
/// may do so one after the other have no aspect::ext_oneapi_tangle.
template <class ParentGroup>
[[sycl::device_has(aspect::ext_oneapi_tangle)]] inline tangle<ParentGroup>
entangle(ParentGroup parent) noexcept {
  static_assert(std::is_same_v<ParentGroup, sub_group> ||
                    std::is_base_of_v<sycl::detail::selected_part, ParentGroup>,
                "entangle takes a sub_group, a fragment or a tangle");
  std::uint64_t members = __falx_sub_group_active();
  if constexpr (!std::is_same_v<ParentGroup, sub_group>)
    members &= sycl::detail::part_access::members(parent);
  return sycl::detail::part_access::make<tangle<ParentGroup>>(members, 0u, 1u);
}

} // namespace ext::oneapi::experimental

template <class ParentGroup>
struct is_group<ext::oneapi::experimental::tangle<ParentGroup>> : std::true_type {};

} // namespace sycl
