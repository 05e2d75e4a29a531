// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/access.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/multi_ptr.hpp"

/// \file
/// SYCL extension sycl_khr_static_addrspace_cast: the caller knows that the object lies in \p Space.

namespace sycl::khr {

template <access::address_space Space, typename ElementType>
constexpr multi_ptr<ElementType, Space, access::decorated::no>
static_addrspace_cast(ElementType* ptr) noexcept {
  return multi_ptr<ElementType, Space, access::decorated::no>(ptr);
}

template <access::address_space Space, typename ElementType, access::decorated DecorateAddress>
constexpr multi_ptr<ElementType, Space, DecorateAddress>
static_addrspace_cast(multi_ptr<ElementType, addrspace_generic, DecorateAddress> ptr) noexcept {
  return multi_ptr<ElementType, Space, DecorateAddress>(ptr.get_raw());
}

} // namespace sycl::khr
