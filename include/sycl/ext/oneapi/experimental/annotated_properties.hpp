// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/properties/properties.hpp"

#include <type_traits>
#include <utility>

/// \file
/// What sycl_ext_oneapi_annotated_ptr and sycl_ext_oneapi_annotated_arg have in common: lists of properties
/// as template arguments. No device that Falx has takes a hint from them but alignment.

namespace sycl::ext::oneapi::experimental {

/// The pointer is a multiple of that many bytes. Device code is compiled to rely on it.
struct alignment_key {
  template <int Bytes>
  using value_t = property_value<alignment_key, std::integral_constant<int, Bytes>>;
};
template <int Bytes>
inline constexpr alignment_key::value_t<Bytes> alignment;
template <>
struct is_property_key<alignment_key> : std::true_type {};

/// The pointer is the only one to what it points to. A hint that is not used: Falx finds out at the launch
/// which captured pointers overlap.
struct restrict_key {
  using value_t = property_value<restrict_key>;
};
#ifndef restrict // as programs define it that were C
inline constexpr restrict_key::value_t restrict;
#endif
template <>
struct is_property_key<restrict_key> : std::true_type {};

namespace detail {

/// All values of two lists, each once; a property with two values is refused by the list that is made.
template <typename A, typename B>
struct union_of_properties;
template <typename... A>
struct union_of_properties<properties<property_values<A...>>, properties<property_values<>>> {
  using type = properties<sorted_properties<A...>>;
};
template <typename... A, typename First, typename... Rest>
struct union_of_properties<properties<property_values<A...>>, properties<property_values<First, Rest...>>>
    : union_of_properties<properties<std::conditional_t<is_one_of<First, A...>, property_values<A...>,
                                                        property_values<A..., First>>>,
                          properties<property_values<Rest...>>> {};
template <typename A, typename B>
using union_of_properties_t = typename union_of_properties<A, B>::type;

/// Whether list A has every value of list B.
template <typename A, typename B>
inline constexpr bool has_all_properties = std::is_same_v<union_of_properties_t<A, B>, A>;

/// The bytes that a pointer to T with these properties is a multiple of.
template <typename T, typename PropertyListT>
constexpr std::size_t alignment_of() {
  if constexpr (PropertyListT::template has_property<alignment_key>()) {
    constexpr int bytes = decltype(PropertyListT::template get_property<alignment_key>())::value;
    static_assert(bytes > 0 && (bytes & (bytes - 1)) == 0, "an alignment is a power of two");
    return bytes;
  } else {
    return 1;
  }
}
/// \p pointer, whose alignment compilers then know.
template <typename PropertyListT, typename T>
inline T* aligned_by_property(T* pointer) noexcept {
  constexpr std::size_t bytes = alignment_of<T, PropertyListT>();
  if constexpr (bytes > 1)
    return static_cast<T*>(__builtin_assume_aligned(const_cast<std::remove_cv_t<T>*>(pointer), bytes));
  else
    return pointer;
}

} // namespace detail
} // namespace sycl::ext::oneapi::experimental
