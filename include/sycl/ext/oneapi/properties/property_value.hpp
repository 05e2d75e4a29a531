// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/properties/property.hpp"

#include <type_traits>

namespace sycl::ext::oneapi::experimental {

namespace detail {

/// The members value_t and value of a property with one parameter; value only if that is no mere type.
template <typename Parameter, typename = void>
struct property_parameter {
  using value_t = Parameter;
};
template <typename Parameter>
struct property_parameter<Parameter, std::void_t<decltype(Parameter::value)>> {
  using value_t = Parameter;
  static constexpr auto value = Parameter::value;
};

} // namespace detail

/// The value of a compile-time constant property (sycl_ext_oneapi_properties). Properties with several
/// parameters specialize it with names for them.
template <typename PropertyT, typename... Parameters>
struct property_value {
  using key_t = PropertyT;
};
template <typename PropertyT, typename Parameter>
struct property_value<PropertyT, Parameter> : detail::property_parameter<Parameter> {
  using key_t = PropertyT;
};

/// Whether key and parameters are the same.
template <typename PropertyT, typename... A, typename... B>
constexpr bool operator==(property_value<PropertyT, A...>, property_value<PropertyT, B...>) noexcept {
  return std::is_same_v<property_value<PropertyT, A...>, property_value<PropertyT, B...>>;
}
template <typename PropertyT, typename... A, typename... B>
constexpr bool operator!=(property_value<PropertyT, A...>, property_value<PropertyT, B...>) noexcept {
  return !std::is_same_v<property_value<PropertyT, A...>, property_value<PropertyT, B...>>;
}

} // namespace sycl::ext::oneapi::experimental
