// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/properties/properties.hpp"
#include "sycl/feature_test.hpp"

#include <cstddef>
#include <type_traits>

/// \file
/// Properties of memory pools (sycl_ext_oneapi_async_memory_alloc).

namespace sycl::ext::oneapi::experimental {

namespace property::memory_pool {

/// Bytes that the pool keeps rather than give them back to the device; 0 without the property.
struct initial_threshold {
  initial_threshold(std::size_t initialThreshold) noexcept : value(initialThreshold) {}
  std::size_t value;
};
using initial_threshold_key = initial_threshold;

/// Most bytes that the pool has at a time, rounded up to its blocks; without the property, what the device
/// has.
struct maximum_size {
  maximum_size(std::size_t maxSize) noexcept : value(maxSize) {}
  std::size_t value;
};
using maximum_size_key = maximum_size;

/// Memory is zero when it comes from the device; not when it is used again.
struct zero_init {};
using zero_init_key = zero_init;

} // namespace property::memory_pool

template <>
struct is_property_key<property::memory_pool::initial_threshold> : std::true_type {};
template <>
struct is_property_key<property::memory_pool::maximum_size> : std::true_type {};
template <>
struct is_property_key<property::memory_pool::zero_init> : std::true_type {};

class memory_pool;
template <>
struct is_property_key_of<property::memory_pool::initial_threshold, memory_pool> : std::true_type {};
template <>
struct is_property_key_of<property::memory_pool::maximum_size, memory_pool> : std::true_type {};
template <>
struct is_property_key_of<property::memory_pool::zero_init, memory_pool> : std::true_type {};

} // namespace sycl::ext::oneapi::experimental
