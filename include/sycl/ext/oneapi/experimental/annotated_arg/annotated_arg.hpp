// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/device_copyable.hpp"
#include "sycl/ext/oneapi/experimental/annotated_properties.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sycl::ext::oneapi::experimental {

/// A kernel argument whose type carries properties (sycl_ext_oneapi_annotated_arg). As copyable to devices as
/// the argument itself.
template <typename T, typename PropertyListT = empty_properties_t>
class annotated_arg {
  static_assert(is_property_list_v<PropertyListT>, "an annotated_arg takes a list of properties");
  static_assert(is_device_copyable_v<T>, "an annotated_arg is copied to devices");
  template <typename, typename>
  friend class annotated_arg;

public:
  annotated_arg() noexcept = default;
  annotated_arg(const T& v_, const std::enable_if_t<true, PropertyListT>& = PropertyListT()) noexcept
      : value_(v_) {}
  template <typename... PropertyValueTs,
            std::enable_if_t<
                (sizeof...(PropertyValueTs) > 0) && (is_property_value_v<PropertyValueTs> && ...), int> = 0>
  annotated_arg(const T& v_, PropertyValueTs...) noexcept : value_(v_) {
    static_assert(std::is_same_v<PropertyListT, decltype(properties{PropertyValueTs{}...})>,
                  "the properties are not those of the annotated_arg's type");
  }
  template <typename T2, typename P, std::enable_if_t<std::is_convertible_v<T2, T>, int> = 0>
  explicit annotated_arg(const annotated_arg<T2, P>& ConvertFrom) noexcept : value_(ConvertFrom.value_) {
    static_assert(detail::has_all_properties<PropertyListT, P>,
                  "an annotated_arg keeps every property of the one that it is made from");
  }
  template <typename T2, typename P, typename Values, std::enable_if_t<std::is_convertible_v<T2, T>, int> = 0>
  explicit annotated_arg(const annotated_arg<T2, P>& v_, properties<Values>) noexcept : value_(v_.value_) {
    static_assert(std::is_same_v<PropertyListT, detail::union_of_properties_t<P, properties<Values>>>,
                  "the properties are not those of the annotated_arg's type");
  }
  annotated_arg(const annotated_arg&) = default;
  annotated_arg& operator=(const annotated_arg&) = default;

  operator T() const noexcept { return value(); }

  template <typename U = T, std::enable_if_t<std::is_pointer_v<U>, int> = 0>
  T operator->() const noexcept {
    return value();
  }
  template <typename U = T>
  auto operator[](std::ptrdiff_t idx) const noexcept -> decltype(std::declval<const U&>()[idx]) {
    if constexpr (std::is_pointer_v<T>)
      return value()[idx];
    else
      return value_[idx];
  }

  template <typename PropertyT>
  static constexpr bool has_property() {
    return PropertyListT::template has_property<PropertyT>();
  }
  template <typename PropertyT>
  static constexpr auto get_property() {
    return PropertyListT::template get_property<PropertyT>();
  }

private:
  T value() const noexcept {
    if constexpr (std::is_pointer_v<T>)
      return detail::aligned_by_property<PropertyListT>(value_);
    else
      return value_;
  }

  T value_{};
};

template <typename T, typename... PropertyValueTs,
          std::enable_if_t<(is_property_value_v<PropertyValueTs> && ...), int> = 0>
annotated_arg(T, PropertyValueTs...) -> annotated_arg<T, decltype(properties{PropertyValueTs{}...})>;
template <typename T, typename Values>
annotated_arg(T, properties<Values>) -> annotated_arg<T, properties<Values>>;
template <typename T, typename A, typename Values>
annotated_arg(annotated_arg<T, A>, properties<Values>)
    -> annotated_arg<T, detail::union_of_properties_t<A, properties<Values>>>;

} // namespace sycl::ext::oneapi::experimental

namespace sycl {

template <typename T, typename PropertyListT>
struct is_device_copyable<ext::oneapi::experimental::annotated_arg<T, PropertyListT>>
    : is_device_copyable<T> {};

} // namespace sycl
