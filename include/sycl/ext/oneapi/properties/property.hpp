// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/property_list.hpp"

#include <type_traits>

/// \file
/// Traits of properties that a type tells at compile time (sycl_ext_oneapi_properties). A property has a key,
/// by which it is asked for, and a value. Of a compile-time constant property the value is a property_value
/// with the key and the parameters as template arguments; of a run-time property the value is its own key.

namespace sycl::ext::oneapi::experimental {

template <typename PropertyT, typename... Parameters>
struct property_value;

/// True for the key of a property. A run-time property says so of itself by a specialization.
template <typename T>
struct is_property_key : std::bool_constant<is_property_v<T>> {};
template <typename T>
inline constexpr bool is_property_key_v = is_property_key<T>::value;

/// True for the key of a property that can be applied to SyclObjectT.
template <typename KeyT, typename SyclObjectT>
struct is_property_key_of : std::false_type {};
template <typename KeyT, typename SyclObjectT>
inline constexpr bool is_property_key_of_v = is_property_key_of<KeyT, SyclObjectT>::value;

/// True for the value of a property that can be applied to SyclObjectT.
template <typename ValueT, typename SyclObjectT>
struct is_property_value_of : is_property_key_of<ValueT, SyclObjectT> {};
template <typename KeyT, typename SyclObjectT, typename... Parameters>
struct is_property_value_of<property_value<KeyT, Parameters...>, SyclObjectT>
    : is_property_key_of<KeyT, SyclObjectT> {};
template <typename ValueT, typename SyclObjectT>
struct is_property_value_of<const ValueT, SyclObjectT> : is_property_value_of<ValueT, SyclObjectT> {};
template <typename ValueT, typename SyclObjectT>
inline constexpr bool is_property_value_of_v = is_property_value_of<ValueT, SyclObjectT>::value;

namespace detail {

/// Stands for any object, for properties that can be applied to all.
struct some_object;

} // namespace detail

/// True for the value of a property: what an object of class properties is made of.
template <typename T>
struct is_property_value
    : std::bool_constant<is_property_key_v<T> || is_property_key_of_v<T, detail::some_object>> {};
template <typename KeyT, typename... Parameters>
struct is_property_value<property_value<KeyT, Parameters...>> : std::true_type {};
/// The variables that stand for properties are constants.
template <typename T>
struct is_property_value<const T> : is_property_value<T> {};
template <typename T>
inline constexpr bool is_property_value_v = is_property_value<T>::value;

} // namespace sycl::ext::oneapi::experimental

namespace sycl {

using ext::oneapi::experimental::is_property_key_of;
using ext::oneapi::experimental::is_property_key_of_v;
using ext::oneapi::experimental::is_property_value_of;
using ext::oneapi::experimental::is_property_value_of_v;

} // namespace sycl
