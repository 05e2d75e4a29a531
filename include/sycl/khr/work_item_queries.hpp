// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/index_access.hpp"
#include "sycl/group.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/nd_item.hpp"
#include "sycl/sub_group.hpp"

/// \file
/// SYCL extension sycl_khr_work_item_queries: where the calling work-item is, without an argument. Undefined
/// when the kernel was not launched with an nd_range of the same dimensions.

namespace sycl::khr {

template <int Dimensions>
nd_item<Dimensions> this_nd_item() {
  return sycl::detail::index_access::make<nd_item<Dimensions>>(0);
}
template <int Dimensions>
group<Dimensions> this_group() {
  return sycl::detail::index_access::make<group<Dimensions>>(false);
}
inline sycl::sub_group this_sub_group() {
  return sycl::detail::index_access::make<sycl::sub_group>(0);
}

} // namespace sycl::khr
