// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/experimental/fragment.hpp"

namespace sycl {

namespace ext::oneapi::experimental {

/// A fragment of work-items that happened to be at the same place (SYCL extension
/// sycl_ext_oneapi_non_uniform_groups).
class opportunistic_group : public fragment<sub_group> {
  friend sycl::detail::part_access;
  using fragment<sub_group>::fragment;
};

namespace this_kernel {

/// The work-items of the sub-group that call it at the same time. On CPUs these are all that take the same
/// way; on GPUs some of them may come later, and get a group of their own.
inline opportunistic_group get_opportunistic_group() noexcept {
  return sycl::detail::part_access::make<opportunistic_group>(__falx_sub_group_active(), 0u, 1u);
}

} // namespace this_kernel
} // namespace ext::oneapi::experimental

template <>
struct is_group<ext::oneapi::experimental::opportunistic_group> : std::true_type {};

} // namespace sycl
