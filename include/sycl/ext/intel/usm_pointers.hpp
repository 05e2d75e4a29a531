// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/multi_ptr.hpp"

/// \file
/// sycl_ext_intel_usm_address_spaces: pointers to memory that only the device reaches, and to the host's.

namespace sycl::ext::intel {

template <class ElementType, access::decorated IsDecorated = access::decorated::legacy>
using device_ptr = multi_ptr<ElementType, access::address_space::ext_intel_global_device_space, IsDecorated>;
template <class ElementType, access::decorated IsDecorated = access::decorated::legacy>
using host_ptr = multi_ptr<ElementType, access::address_space::ext_intel_global_host_space, IsDecorated>;

template <class ElementType>
using raw_device_ptr = device_ptr<ElementType, access::decorated::no>;
template <class ElementType>
using raw_host_ptr = host_ptr<ElementType, access::decorated::no>;

template <class ElementType>
using decorated_device_ptr = device_ptr<ElementType, access::decorated::yes>;
template <class ElementType>
using decorated_host_ptr = host_ptr<ElementType, access::decorated::yes>;

} // namespace sycl::ext::intel
