// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/properties/properties.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/nd_range.hpp"
#include "sycl/range.hpp"

#include <type_traits>

namespace sycl::ext::oneapi::experimental {

namespace detail {

template <typename T>
inline constexpr bool is_launch_range_v = false;
template <int Dimensions>
inline constexpr bool is_launch_range_v<range<Dimensions>> = true;
template <int Dimensions>
inline constexpr bool is_launch_range_v<nd_range<Dimensions>> = true;

struct launch_config_access;

} // namespace detail

/// How a kernel is launched (sycl_ext_oneapi_enqueue_functions): its range and properties.
template <typename Range, typename Properties = empty_properties_t,
          typename = std::enable_if_t<detail::is_launch_range_v<Range> && is_property_list_v<Properties>>>
class launch_config {
public:
  launch_config(Range the_range, Properties properties = {}) : range_(the_range), properties_(properties) {}

private:
  friend detail::launch_config_access;
  Range range_;
  Properties properties_;
};

namespace detail {

struct launch_config_access {
  template <typename Range, typename Properties>
  static const Range& range_of(const launch_config<Range, Properties>& config) noexcept {
    return config.range_;
  }
  template <typename Range, typename Properties>
  static const Properties& properties_of(const launch_config<Range, Properties>& config) noexcept {
    return config.properties_;
  }
};

} // namespace detail

} // namespace sycl::ext::oneapi::experimental
