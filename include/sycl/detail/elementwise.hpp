// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/half.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

/// \file
/// What vec, marray and swizzled vectors have in common, said once: how many elements of which type an
/// operand has, and how a scalar operation is applied to each of them. Operators
/// (detail/elementwise_operators.hpp) and math functions (math_*.hpp) are built on it.

namespace sycl {

namespace ext::oneapi {
class bfloat16;
} // namespace ext::oneapi

template <class DataT, int NumElements>
class vec;
template <class DataT, std::size_t NumElements>
class marray;

namespace detail {

namespace elementwise {
template <class Element, int... Indexes>
class swizzled_vec;
} // namespace elementwise

enum class element_family { scalar, vec, marray };

/// Integer type of a size in bytes: what a comparison of vec elements gives (SYCL 2020 §4.14.2.1, RET).
template <std::size_t Bytes>
using signed_of_size = std::conditional_t<
    Bytes == 1, std::int8_t,
    std::conditional_t<Bytes == 2, std::int16_t, std::conditional_t<Bytes == 4, std::int32_t, std::int64_t>>>;
template <std::size_t Bytes>
using unsigned_of_size = std::make_unsigned_t<signed_of_size<Bytes>>;

/// The shape of an operand: its elements and the type (vec, marray or scalar) that holds a result of this
/// shape.
template <class T>
struct shape {
  static constexpr element_family family = element_family::scalar;
  static constexpr std::size_t size = 1;
  using element = T;
  using value = T;
  template <class U>
  using with = U;
};
template <class T, int N>
struct shape<vec<T, N>> {
  static constexpr element_family family = element_family::vec;
  static constexpr std::size_t size = N;
  using element = T;
  using value = vec<T, N>;
  template <class U>
  using with = vec<U, N>;
  /// Type of the elements of a comparison, and what true is in it.
  using truth = signed_of_size<sizeof(T)>;
  static constexpr truth yes = -1;
};
template <class E, int... I>
struct shape<elementwise::swizzled_vec<E, I...>> : shape<vec<std::remove_const_t<E>, sizeof...(I)>> {};
template <class T, std::size_t N>
struct shape<marray<T, N>> {
  static constexpr element_family family = element_family::marray;
  static constexpr std::size_t size = N;
  using element = T;
  using value = marray<T, N>;
  template <class U>
  using with = marray<U, N>;
  using truth = bool;
  static constexpr truth yes = true;
};

template <class T>
constexpr bool has_elements = shape<T>::family != element_family::scalar;
template <class T>
constexpr bool is_floating =
    std::is_floating_point_v<T> || std::is_same_v<T, half> || std::is_same_v<T, ext::oneapi::bfloat16>;
/// Whether T is a complex number of sycl_ext_oneapi_complex: an element that has no order.
template <class T>
constexpr bool is_complex = false;
template <class T>
constexpr bool is_swizzle = false;
template <class E, int... I>
constexpr bool is_swizzle<elementwise::swizzled_vec<E, I...>> = true;

/// Whether every element of the vec behind a view appears at most once, so that assignment has a meaning.
template <int... I>
constexpr bool all_different() {
  constexpr int indexes[] = {I...};
  for (std::size_t i = 0; i < sizeof...(I); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (indexes[i] == indexes[j])
        return false;
  return true;
}
/// Whether a swizzle can be assigned to.
template <class T>
constexpr bool is_writable_swizzle = false;
template <class E, int... I>
constexpr bool is_writable_swizzle<elementwise::swizzled_vec<E, I...>> =
    !std::is_const_v<E> && all_different<I...>();

/// The result of conversions that do not exist; stands where a non-template conversion operator must be
/// disabled.
struct no_conversion;
template <bool Available, class T>
using conversion_if = std::conditional_t<Available, T, no_conversion>;

template <class T>
struct type_tag {
  using type = T;
};

/// The shape of `lhs OP rhs`, or of a function of two such arguments: two operands of one shape, or one with
/// elements and one that converts to its element, which then stands for every element (§4.14.2.1). Void if
/// they do not fit.
template <class L, class R>
constexpr auto find_common_shape() {
  using l = shape<L>;
  using r = shape<R>;
  if constexpr (has_elements<L> && std::is_same_v<typename l::value, typename r::value>)
    return type_tag<shape<typename l::value>>{};
  else if constexpr (has_elements<L> && std::is_convertible_v<const R&, typename l::element>)
    return type_tag<shape<typename l::value>>{};
  else if constexpr (has_elements<R> && std::is_convertible_v<const L&, typename r::element>)
    return type_tag<shape<typename r::value>>{};
  else if constexpr (has_elements<L> && std::is_convertible_v<const R&, typename l::value>)
    return type_tag<shape<typename l::value>>{};
  else if constexpr (has_elements<R> && std::is_convertible_v<const L&, typename r::value>)
    return type_tag<shape<typename r::value>>{};
  else
    return type_tag<void>{};
}
template <class L, class R>
using common_shape = typename decltype(find_common_shape<L, R>())::type;

/// A scalar that looks as if every element were the same.
template <class T>
struct repeated {
  T value;
  constexpr const T& operator[](std::size_t) const { return value; }
};

/// An operand of an operation of shape S as something whose elements [i] can be read. Swizzles are evaluated
/// into a vec, so that a later assignment to the same vec does not disturb them. A vec is copied as a whole,
/// which tells device compilers that one aligned load may read it; its elements alone do not.
template <class S, class T>
constexpr auto operand(const T& value) {
  if constexpr (is_swizzle<T>)
    return typename S::value(value);
  else if constexpr (std::is_same_v<T, typename S::value>)
    return value;
  else if constexpr (std::is_convertible_v<const T&, typename S::element>)
    return repeated<typename S::element>{static_cast<typename S::element>(value)};
  else
    return static_cast<typename S::value>(value);
}

template <std::size_t I, class Operation, class... Operands>
constexpr decltype(auto) apply_at(const Operation& operation, const Operands&... operands) {
  return operation(operands[I]...);
}
template <class Result, class Operation, std::size_t... I, class... Operands>
constexpr Result map_elements(const Operation& operation, std::index_sequence<I...>,
                              const Operands&... operands) {
  Result result{};
  ((result[I] = static_cast<typename Result::value_type>(apply_at<I>(operation, operands...))), ...);
  return result;
}

/// A result of shape S with elements of type U: element i is operation(operands[i]...). Expands to
/// straight-line code, which device compilers vectorise across work-items.
template <class S, class U, class Operation, class... Operands>
constexpr auto map(const Operation& operation, const Operands&... operands) {
  return map_elements<typename S::template with<U>>(operation, std::make_index_sequence<S::size>{},
                                                    operands...);
}

} // namespace detail
} // namespace sycl
