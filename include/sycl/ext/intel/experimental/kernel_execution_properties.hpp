// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/properties/properties.hpp"
#include "sycl/feature_test.hpp"

#include <type_traits>

/// \file
/// SYCL extension sycl_ext_intel_cache_config. Not part of sycl.hpp, as with DPC++.

namespace sycl::ext::intel::experimental {

enum class cache_config_enum { large_slm, large_data };
inline constexpr cache_config_enum large_slm = cache_config_enum::large_slm;
inline constexpr cache_config_enum large_data = cache_config_enum::large_data;

/// Property of a launch: how memory is divided between cache and local memory, a hint for Intel's GPUs.
/// Falx's devices divide it by what the kernel uses.
struct cache_config {
  cache_config(cache_config_enum v) noexcept : value(v) {}
  cache_config_enum value;

  friend bool operator==(const cache_config& a, const cache_config& b) noexcept { return a.value == b.value; }
  friend bool operator!=(const cache_config& a, const cache_config& b) noexcept { return a.value != b.value; }
};
using cache_config_key = cache_config;

} // namespace sycl::ext::intel::experimental

template <>
struct sycl::ext::oneapi::experimental::is_property_key<sycl::ext::intel::experimental::cache_config>
    : std::true_type {};
