// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/feature_test.hpp"
#include "sycl/property_list.hpp"

#include <tuple>
#include <type_traits>

/// \file
/// Lists of properties for accessors (sycl_ext_oneapi_accessor_properties). Of the document, Falx has what
/// constructors take, and not the accessor's parameter that repeats the list in its type, so the
/// feature-test macro is not defined.

namespace sycl::ext::oneapi {

namespace property {

/// The accessor is never constructed with an offset: a hint.
struct no_offset {
  template <bool = true>
  struct instance {};
};
/// What the accessor reaches is reached in no other way by the kernel: a hint.
struct no_alias {
  template <bool = true>
  struct instance {};
};

} // namespace property

inline constexpr property::no_offset::instance<true> no_offset;
inline constexpr property::no_alias::instance<true> no_alias;

/// True for properties that only a list's type has.
template <typename PropertyT>
struct is_compile_time_property : std::false_type {};
template <>
struct is_compile_time_property<property::no_offset> : std::true_type {};
template <>
struct is_compile_time_property<property::no_alias> : std::true_type {};

namespace detail {

/// The property that an object stands for.
template <typename T>
struct property_of_instance {
  using type = T;
};
template <bool B>
struct property_of_instance<property::no_offset::instance<B>> {
  using type = property::no_offset;
};
template <bool B>
struct property_of_instance<property::no_alias::instance<B>> {
  using type = property::no_alias;
};
template <typename T>
using property_of = typename property_of_instance<T>::type;

template <typename T>
auto run_time_property(const T& value) {
  if constexpr (is_compile_time_property<property_of<T>>::value)
    return std::tuple<>();
  else
    return std::tuple<T>(value);
}

} // namespace detail

/// A property_list, whose type also has the properties that are known at compile time.
template <typename... Properties>
class accessor_property_list : public property_list {
public:
  accessor_property_list(Properties... props)
      : property_list(std::apply([](auto... values) { return property_list(values...); },
                                 std::tuple_cat(detail::run_time_property(props)...))) {}

  template <typename PropertyT, std::enable_if_t<!is_compile_time_property<PropertyT>::value, int> = 0>
  bool has_property() const noexcept {
    return property_list::has_property<PropertyT>();
  }
  template <typename PropertyT, std::enable_if_t<is_compile_time_property<PropertyT>::value, int> = 0>
  static constexpr bool has_property() noexcept {
    return (std::is_same_v<PropertyT, detail::property_of<Properties>> || ...);
  }
};

} // namespace sycl::ext::oneapi
