// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/access.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/multi_ptr.hpp"

/// \file
/// SYCL extension sycl_khr_dynamic_addrspace_cast: null if the object, which the calling work-item can
/// access, does not lie in \p Space.

namespace sycl::khr {

template <access::address_space Space, typename ElementType>
multi_ptr<ElementType, Space, access::decorated::no> dynamic_addrspace_cast(ElementType* ptr) noexcept {
  return address_space_cast<Space, access::decorated::no>(ptr);
}

template <access::address_space Space, typename ElementType, access::decorated DecorateAddress>
multi_ptr<ElementType, Space, DecorateAddress>
dynamic_addrspace_cast(multi_ptr<ElementType, addrspace_generic, DecorateAddress> ptr) noexcept {
  return address_space_cast<Space, DecorateAddress>(ptr.get_raw());
}

} // namespace sycl::khr
