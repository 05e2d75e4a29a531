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

/// Bytes that the pool keeps rather than give them back to the device; 0 without the property.
struct initial_threshold {
  initial_threshold(std::size_t initialThreshold) noexcept : value(initialThreshold) {}
  std::size_t value;

  friend bool operator==(const initial_threshold& a, const initial_threshold& b) noexcept {
    return a.value == b.value;
  }
  friend bool operator!=(const initial_threshold& a, const initial_threshold& b) noexcept {
    return a.value != b.value;
  }
};

/// Most bytes that the pool has at a time, rounded up to its blocks; without the property, what the device
/// has.
struct maximum_size {
  maximum_size(std::size_t maxSize) noexcept : value(maxSize) {}
  std::size_t value;

  friend bool operator==(const maximum_size& a, const maximum_size& b) noexcept { return a.value == b.value; }
  friend bool operator!=(const maximum_size& a, const maximum_size& b) noexcept { return a.value != b.value; }
};

/// Memory is zero when it comes from the device; not when it is used again.
struct zero_init {
  friend bool operator==(const zero_init&, const zero_init&) noexcept { return true; }
  friend bool operator!=(const zero_init&, const zero_init&) noexcept { return false; }
};

using initial_threshold_key = initial_threshold;
using maximum_size_key = maximum_size;
using zero_init_key = zero_init;

/// The document's place for them; DPC++ has them in the namespace around.
namespace property::memory_pool {
/// Kernels only read the memory: a hint, without effect. In earlier forms of the document. Not in the
/// namespace around, whose users may use namespace sycl, too, which has a tag of that name.
struct read_only {
  friend bool operator==(const read_only&, const read_only&) noexcept { return true; }
  friend bool operator!=(const read_only&, const read_only&) noexcept { return false; }
};
using read_only_key = read_only;
using experimental::initial_threshold;
using experimental::initial_threshold_key;
using experimental::maximum_size;
using experimental::maximum_size_key;
using experimental::zero_init;
using experimental::zero_init_key;
} // namespace property::memory_pool

template <>
struct is_property_key<initial_threshold> : std::true_type {};
template <>
struct is_property_key<maximum_size> : std::true_type {};
template <>
struct is_property_key<property::memory_pool::read_only> : std::true_type {};
template <>
struct is_property_key<zero_init> : std::true_type {};

class memory_pool;
template <>
struct is_property_key_of<initial_threshold, memory_pool> : std::true_type {};
template <>
struct is_property_key_of<maximum_size, memory_pool> : std::true_type {};
template <>
struct is_property_key_of<property::memory_pool::read_only, memory_pool> : std::true_type {};
template <>
struct is_property_key_of<zero_init, memory_pool> : std::true_type {};

} // namespace sycl::ext::oneapi::experimental
