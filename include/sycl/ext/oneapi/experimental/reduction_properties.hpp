// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/properties/properties.hpp"
#include "sycl/reduction.hpp"

#include <cstddef>
#include <type_traits>

/// \file
/// sycl_ext_oneapi_reduction_properties: reductions whose type tells their properties.

namespace sycl {
namespace ext::oneapi::experimental {

/// Reductions of the same values in the same order give the same result. Falx's all do: partial results have
/// places of their own, and one group combines them in order (detail/reduction_kernel.hpp).
struct deterministic_key {
  using value_t = property_value<deterministic_key>;
};
inline constexpr deterministic_key::value_t deterministic;

/// As property::reduction::initialize_to_identity.
struct initialize_to_identity_key {
  using value_t = property_value<initialize_to_identity_key>;
};
inline constexpr initialize_to_identity_key::value_t initialize_to_identity;

template <>
struct is_property_key<deterministic_key> : std::true_type {};
template <>
struct is_property_key<initialize_to_identity_key> : std::true_type {};

namespace detail {

/// Stands for what sycl::reduction returns.
struct some_reduction;

template <typename PropertyListT>
inline constexpr bool describes_reduction = false;
template <typename... Values>
inline constexpr bool describes_reduction<properties<property_values<Values...>>> =
    (is_property_value_of_v<Values, some_reduction> && ...);

template <typename PropertyListT>
using if_describes_reduction = std::enable_if_t<describes_reduction<PropertyListT>, int>;

/// The same for the functions that take a list of run-time properties.
template <typename PropertyListT, bool HasIdentity>
property_list reduction_property_list() {
  if constexpr (PropertyListT::template has_property<initialize_to_identity_key>()) {
    static_assert(HasIdentity, "initialize_to_identity needs an identity: give one to sycl::reduction");
    return property_list(sycl::property::reduction::initialize_to_identity());
  } else {
    return property_list();
  }
}

} // namespace detail

template <>
struct is_property_key_of<deterministic_key, detail::some_reduction> : std::true_type {};
template <>
struct is_property_key_of<initialize_to_identity_key, detail::some_reduction> : std::true_type {};

} // namespace ext::oneapi::experimental

template <class T, int D, class A, class BinaryOperation, class PropertyList,
          ext::oneapi::experimental::detail::if_describes_reduction<PropertyList> = 0>
auto reduction(buffer<T, D, A> vars, handler& group, BinaryOperation combiner, PropertyList) {
  return reduction(
      vars, group, combiner,
      ext::oneapi::experimental::detail::reduction_property_list<PropertyList,
                                                                 has_known_identity_v<BinaryOperation, T>>());
}
template <class T, int D, class A, class BinaryOperation, class PropertyList,
          ext::oneapi::experimental::detail::if_describes_reduction<PropertyList> = 0>
auto reduction(buffer<T, D, A> vars, handler& group, const typename buffer<T, D, A>::value_type& identity,
               BinaryOperation combiner, PropertyList) {
  return reduction(vars, group, identity, combiner,
                   ext::oneapi::experimental::detail::reduction_property_list<PropertyList, true>());
}

template <class T, class BinaryOperation, class PropertyList,
          ext::oneapi::experimental::detail::if_describes_reduction<PropertyList> = 0>
auto reduction(T* var, BinaryOperation combiner, PropertyList) {
  return reduction(
      var, combiner,
      ext::oneapi::experimental::detail::reduction_property_list<PropertyList,
                                                                 has_known_identity_v<BinaryOperation, T>>());
}
template <class T, class BinaryOperation, class PropertyList,
          ext::oneapi::experimental::detail::if_describes_reduction<PropertyList> = 0>
auto reduction(T* var, const std::enable_if_t<true, T>& identity, BinaryOperation combiner, PropertyList) {
  return reduction(var, identity, combiner,
                   ext::oneapi::experimental::detail::reduction_property_list<PropertyList, true>());
}

template <class T, std::size_t Extent, class BinaryOperation, class PropertyList,
          ext::oneapi::experimental::detail::if_describes_reduction<PropertyList> = 0>
auto reduction(span<T, Extent> vars, BinaryOperation combiner, PropertyList) {
  return reduction(
      vars, combiner,
      ext::oneapi::experimental::detail::reduction_property_list<PropertyList,
                                                                 has_known_identity_v<BinaryOperation, T>>());
}
template <class T, std::size_t Extent, class BinaryOperation, class PropertyList,
          ext::oneapi::experimental::detail::if_describes_reduction<PropertyList> = 0>
auto reduction(span<T, Extent> vars, const std::enable_if_t<true, T>& identity, BinaryOperation combiner,
               PropertyList) {
  return reduction(vars, identity, combiner,
                   ext::oneapi::experimental::detail::reduction_property_list<PropertyList, true>());
}

} // namespace sycl
