// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/feature_test.hpp"
#include "sycl/kernel.hpp"
#include "sycl/kernel_bundle.hpp"
#include "sycl/queue.hpp"

/// \file
/// SYCL extension sycl_ext_oneapi_get_kernel_info: kernel::get_info by the kernel's name.

namespace sycl::ext::oneapi {

template <typename KernelName, typename Param>
typename Param::return_type get_kernel_info(const context& ctxt) {
  return sycl::get_kernel_bundle<KernelName, bundle_state::executable>(ctxt)
      .template get_kernel<KernelName>()
      .template get_info<Param>();
}
template <typename KernelName, typename Param>
typename Param::return_type get_kernel_info(const context& ctxt, const device& dev) {
  return sycl::get_kernel_bundle<KernelName, bundle_state::executable>(ctxt)
      .template get_kernel<KernelName>()
      .template get_info<Param>(dev);
}
template <typename KernelName, typename Param>
typename Param::return_type get_kernel_info(const queue& q) {
  return oneapi::get_kernel_info<KernelName, Param>(q.get_context(), q.get_device());
}

} // namespace sycl::ext::oneapi
