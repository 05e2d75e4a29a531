// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/index_access.hpp"
#include "sycl/detail/index_builtins.hpp"
#include "sycl/group.hpp"
#include "sycl/item.hpp"
#include "sycl/nd_item.hpp"
#include "sycl/sub_group.hpp"

/// \file
/// Arguments of kernels, made from the index builtins. Device code only.

namespace sycl::detail {

template <int D>
inline item<D, false> make_item() noexcept {
  return index_access::make_item<D>(global_id<D>(), global_range<D>());
}
template <int D>
inline item<D, true> make_item_with_offset() noexcept {
  return index_access::make_item<D>(global_id<D>(), global_range<D>(), global_offset<D>());
}
template <int D>
inline nd_item<D> make_nd_item() noexcept {
  return index_access::make<nd_item<D>>(0);
}
/// The argument of parallel_for_work_group; groups of nd_range kernels come from nd_item::get_group.
template <int D>
inline group<D> make_group() noexcept {
  return index_access::make<group<D>>(true);
}

} // namespace sycl::detail
