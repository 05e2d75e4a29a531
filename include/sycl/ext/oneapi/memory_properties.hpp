// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/accessor_declarations.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/property_list.hpp"

#include <type_traits>

/// \file
/// Properties of sycl_ext_oneapi_use_pinned_host_memory_property and sycl_ext_oneapi_usm_device_read_only.

namespace sycl {

namespace ext::oneapi::property::buffer {

/// The host's memory of the buffer is such that devices copy it quickly, which that of Falx's buffers is
/// without being asked. With memory of the program's, errc::invalid.
struct use_pinned_host_memory : sycl::detail::property_base {};

} // namespace ext::oneapi::property::buffer

namespace ext::oneapi::property::usm {

/// Of shared USM: kernels only read it. A hint that none of Falx's devices has a use for.
struct device_read_only : sycl::detail::property_base {};

} // namespace ext::oneapi::property::usm

template <typename T, int Dimensions, typename AllocatorT>
struct is_property_of<ext::oneapi::property::buffer::use_pinned_host_memory,
                      buffer<T, Dimensions, AllocatorT>> : std::true_type {};

} // namespace sycl
