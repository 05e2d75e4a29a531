// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/experimental/chunk.hpp"

namespace sycl::ext::oneapi::experimental {

/// A chunk by its first name (SYCL extension sycl_ext_oneapi_non_uniform_groups).
template <std::size_t PartitionSize, class ParentGroup>
using fixed_size_group = chunk<PartitionSize, ParentGroup>;

/// chunked_partition by its first name.
template <std::size_t PartitionSize, class Group>
inline fixed_size_group<PartitionSize, Group> get_fixed_size_group(Group group) noexcept {
  return chunked_partition<PartitionSize>(group);
}

} // namespace sycl::ext::oneapi::experimental
