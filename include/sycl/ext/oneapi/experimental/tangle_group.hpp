// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/experimental/tangle.hpp"

namespace sycl::ext::oneapi::experimental {

/// A tangle by its first name (SYCL extension sycl_ext_oneapi_non_uniform_groups).
template <class ParentGroup>
using tangle_group = tangle<ParentGroup>;

/// entangle by its first name.
template <class Group>
[[sycl::device_has(aspect::ext_oneapi_tangle_group, aspect::ext_oneapi_tangle)]] inline tangle_group<Group>
get_tangle_group(Group group) noexcept {
  return entangle(group);
}

} // namespace sycl::ext::oneapi::experimental
