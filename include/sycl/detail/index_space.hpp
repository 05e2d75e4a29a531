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

namespace sycl::khr {

/// SYCL extension sycl_khr_work_item_queries: where the calling work-item is, without an argument. Undefined
/// when the kernel was not launched with an nd_range of the same dimensions.
template <int Dimensions>
inline nd_item<Dimensions> this_nd_item() noexcept {
  return detail::index_access::make<nd_item<Dimensions>>(0);
}
template <int Dimensions>
inline group<Dimensions> this_group() noexcept {
  return detail::index_access::make<group<Dimensions>>(false);
}
inline sub_group this_sub_group() noexcept {
  return detail::index_access::make<sub_group>(0);
}

} // namespace sycl::khr

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
