// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/khr/work_item_queries.hpp"

namespace sycl::ext::oneapi::this_work_item {

/// SYCL extension sycl_ext_oneapi_free_function_queries.
template <int Dimensions>
inline nd_item<Dimensions> get_nd_item() noexcept {
  return khr::this_nd_item<Dimensions>();
}
template <int Dimensions>
inline group<Dimensions> get_work_group() noexcept {
  return khr::this_group<Dimensions>();
}
inline sub_group get_sub_group() noexcept {
  return khr::this_sub_group();
}

} // namespace sycl::ext::oneapi::this_work_item
