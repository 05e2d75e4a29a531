// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/device_copyable.hpp"
#include "sycl/ext/oneapi/properties/property.hpp"
#include "sycl/ext/oneapi/properties/property_value.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/property_list.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// \file
/// SYCL extension sycl_ext_oneapi_properties.

namespace sycl::ext::oneapi::experimental {

namespace detail {

template <typename... Values>
struct property_values {};

template <typename Value>
struct property_key_of_value {
  using type = Value;
};
template <typename Key, typename... Parameters>
struct property_key_of_value<property_value<Key, Parameters...>> {
  using type = Key;
};
template <typename Value>
using property_key_t = typename property_key_of_value<Value>::type;

template <typename Value>
inline constexpr bool is_constant_property = !std::is_same_v<property_key_t<Value>, Value>;

template <typename Wanted, typename... Types>
inline constexpr bool is_one_of = (std::is_same_v<Wanted, Types> || ...);

template <typename... Types>
inline constexpr bool are_different = true;
template <typename First, typename... Rest>
inline constexpr bool are_different<First, Rest...> = !is_one_of<First, Rest...> && are_different<Rest...>;

template <std::size_t Count>
struct property_order {
  std::size_t positions[Count];
};

/// Which of the properties comes first, second and so on by the names of their keys.
template <typename... Values>
constexpr property_order<sizeof...(Values)> order_of_properties() {
  const char* const names[] = {sycl::detail::property_key<property_key_t<Values>>()...};
  property_order<sizeof...(Values)> order{};
  for (std::size_t next = 0; next < sizeof...(Values); ++next) {
    std::size_t place = next;
    for (; place > 0 && __builtin_strcmp(names[next], names[order.positions[place - 1]]) < 0; --place)
      order.positions[place] = order.positions[place - 1];
    order.positions[place] = next;
  }
  return order;
}

template <typename Indices, typename... Values>
struct sort_properties;
template <std::size_t... Indices, typename... Values>
struct sort_properties<std::index_sequence<Indices...>, Values...> {
  static constexpr property_order<sizeof...(Values)> ORDER = order_of_properties<Values...>();
  using type = property_values<std::tuple_element_t<ORDER.positions[Indices], std::tuple<Values...>>...>;
};
template <>
struct sort_properties<std::index_sequence<>> {
  using type = property_values<>;
};
template <typename... Values>
using sorted_properties = typename sort_properties<std::index_sequence_for<Values...>, Values...>::type;

/// A run-time property in a list; nothing for a constant one.
template <typename Value, bool IsConstant = is_constant_property<Value>>
struct stored_property {
  Value value;
};
template <typename Value>
struct stored_property<Value, true> {};

/// The one of \p given that is a Value, else a default one.
template <typename Value>
constexpr Value take_property() {
  return Value{};
}
template <typename Value, typename First, typename... Rest>
constexpr Value take_property(First& first, Rest&... rest) {
  if constexpr (std::is_same_v<Value, First>)
    return std::move(first);
  else
    return take_property<Value>(rest...);
}

template <typename Value, typename... Given>
constexpr stored_property<Value> store_property(Given&... given) {
  if constexpr (is_constant_property<Value>)
    return {};
  else
    return {take_property<Value>(given...)};
}

/// The value with that key; void if there is none.
template <typename Key, typename... Values>
struct property_with_key {
  using type = void;
};
template <typename Key, typename First, typename... Rest>
struct property_with_key<Key, First, Rest...>
    : std::conditional_t<std::is_same_v<Key, property_key_t<First>>, std::common_type<First>,
                         property_with_key<Key, Rest...>> {};

} // namespace detail

/// A list of properties whose type tells which they are, and of constant ones the values
/// (sycl_ext_oneapi_properties). Lists of the same properties have the same type, whatever their order.
/// Made by deduction: properties{host_access_read, device_image_scope}.
template <typename PropertyValuesT>
class properties;

template <typename... Values>
class properties<detail::property_values<Values...>> : private detail::stored_property<Values>... {
  static_assert((is_property_value_v<Values> && ...), "a property list takes objects of properties");
  static_assert(detail::are_different<detail::property_key_t<Values>...>,
                "a property list takes each property once");
  template <typename Key>
  using value_with = typename detail::property_with_key<Key, Values...>::type;
  template <typename Key>
  static constexpr bool stores = std::is_same_v<value_with<Key>, Key>;
  template <typename Key>
  static constexpr bool knows = !stores<Key> && !std::is_void_v<value_with<Key>>;

public:
  /// In any order. Every run-time property of the list that is not default constructible has to be there.
  template <typename... PropertyValueTs,
            std::enable_if_t<(is_property_value_v<PropertyValueTs> && ...), int> = 0>
  constexpr properties(PropertyValueTs... props)
      : detail::stored_property<Values>(detail::store_property<Values>(props...))... {
    static_assert((detail::is_one_of<PropertyValueTs, Values...> && ...),
                  "the property is not one of this type of property list");
    (static_cast<void>(props), ...);
  }

  template <typename PropertyKeyT>
  static constexpr bool has_property() {
    return detail::is_one_of<PropertyKeyT, detail::property_key_t<Values>...>;
  }

  /// A copy of a run-time property.
  template <typename PropertyT, std::enable_if_t<stores<PropertyT>, int> = 0>
  constexpr PropertyT get_property() const {
    return static_cast<const detail::stored_property<PropertyT>&>(*this).value;
  }
  /// The value of a constant property.
  template <typename PropertyKeyT, std::enable_if_t<knows<PropertyKeyT>, int> = 0, typename = void>
  static constexpr auto get_property() {
    return value_with<PropertyKeyT>{};
  }
};

template <typename... PropertyValueTs>
properties(PropertyValueTs...) -> properties<detail::sorted_properties<PropertyValueTs...>>;

using empty_properties_t = decltype(properties{});

template <typename PropertyListT>
struct is_property_list : std::false_type {};
template <typename PropertyValuesT>
struct is_property_list<properties<PropertyValuesT>> : std::true_type {};
template <typename PropertyListT>
inline constexpr bool is_property_list_v = is_property_list<PropertyListT>::value;

} // namespace sycl::ext::oneapi::experimental

namespace sycl {

/// Constant properties leave nothing to copy.
template <typename... Values>
struct is_device_copyable<
    ext::oneapi::experimental::properties<ext::oneapi::experimental::detail::property_values<Values...>>>
    : std::bool_constant<(
          (ext::oneapi::experimental::detail::is_constant_property<Values> || is_device_copyable_v<Values>) &&
          ...)> {};

} // namespace sycl
