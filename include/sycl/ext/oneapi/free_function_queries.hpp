// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/index_access.hpp"
#include "sycl/detail/index_builtins.hpp"
#include "sycl/id.hpp"
#include "sycl/item.hpp"
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

namespace sycl::ext::oneapi::experimental {

/// The names that the extension had at first. An id and an item are those of kernels over a range, too.
template <int Dimensions>
inline id<Dimensions> this_id() noexcept {
  return sycl::detail::global_id<Dimensions>();
}
template <int Dimensions>
inline item<Dimensions> this_item() noexcept {
  return sycl::detail::index_access::make_item(sycl::detail::global_id<Dimensions>(),
                                               sycl::detail::global_range<Dimensions>(),
                                               sycl::detail::global_offset<Dimensions>());
}
template <int Dimensions>
inline nd_item<Dimensions> this_nd_item() noexcept {
  return khr::this_nd_item<Dimensions>();
}
template <int Dimensions>
inline group<Dimensions> this_group() noexcept {
  return khr::this_group<Dimensions>();
}
inline sub_group this_sub_group() noexcept {
  return khr::this_sub_group();
}

} // namespace sycl::ext::oneapi::experimental
