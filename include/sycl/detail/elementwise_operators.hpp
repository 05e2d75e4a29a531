// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/elementwise.hpp"

#include <cstddef>
#include <type_traits>

/// \file
/// The operators of vec (SYCL 2020 §4.14.2.1), of swizzled vectors (§4.14.2.4) and of marray (§4.14.3.1).

namespace sycl::detail {

/// What an operator demands of the element type. Real: of a number that is not complex.
enum class operator_needs { nothing, order, arithmetic, real, integral, bits };

template <class S, operator_needs Needs>
constexpr bool supports() {
  using element = typename S::element;
  if constexpr (is_complex<element>)
    return Needs == operator_needs::nothing || Needs == operator_needs::arithmetic;
  else if constexpr (Needs == operator_needs::nothing || Needs == operator_needs::order)
    return true;
  else if constexpr (S::family == element_family::marray)
    return Needs == operator_needs::arithmetic || Needs == operator_needs::real || !is_floating<element>;
  else if constexpr (Needs == operator_needs::arithmetic || Needs == operator_needs::real)
    return std::is_arithmetic_v<element> || is_floating<element>;
  else if constexpr (Needs == operator_needs::integral)
    return std::is_integral_v<element>;
  else
    return std::is_integral_v<element> || std::is_same_v<element, std::byte>;
}

template <class S, operator_needs Needs>
constexpr bool available() {
  if constexpr (std::is_void_v<S>)
    return false;
  else
    return supports<S, Needs>();
}

template <class L, class R, operator_needs Needs, class S = common_shape<L, R>>
using operator_shape = std::enable_if_t<available<S, Needs>(), S>;

/// The shape of the operand of a unary operator.
template <class T, operator_needs Needs>
using unary_shape = std::enable_if_t<has_elements<T> && available<shape<typename shape<T>::value>, Needs>(),
                                     shape<typename shape<T>::value>>;

/// What `lhs OP= rhs` returns: a vec& or marray& for an lvalue, and for a swizzle of any value category, as
/// it is a view, a reference to const. Not available for const operands and read-only swizzles.
template <class L, class T = std::remove_reference_t<L>>
using assigned =
    std::enable_if_t<has_elements<std::remove_const_t<T>> &&
                         (is_writable_swizzle<std::remove_const_t<T>> ||
                          (!is_swizzle<T> && std::is_lvalue_reference_v<L> && !std::is_const_v<T>)),
                     std::conditional_t<is_swizzle<std::remove_const_t<T>>, const T&, T&>>;

/// The right side of `lhs OP= {…}`, which takes what initializes the left side's vec or marray.
template <class T>
struct braces {
  template <class... Values, std::enable_if_t<std::is_constructible_v<T, const Values&...>, int> = 0>
  constexpr braces(const Values&... values) : value(values...) {}
  T value;
};

// A product and a sum of vectors are contracted as those of numbers in one expression are, although operators
// are functions.
#pragma float_control(push)
#ifndef __FALX_FP_CONTRACT_OFF__
#pragma clang fp contract(fast)
#endif

/// As C++20 defines it: C++17 leaves shifts of negative values undefined.
template <class E>
constexpr E shifted_left(const E& value, const E& bits) {
  using promoted = decltype(value << bits);
  return static_cast<E>(static_cast<std::make_unsigned_t<promoted>>(value) << bits);
}

#define FALX_CONTRACTED(name, symbol)                                                                        \
  template <class E>                                                                                         \
  constexpr auto name(const E& a, const E& b) {                                                              \
    if constexpr (std::is_same_v<E, half>) /* whose own operators round each result */                       \
      return sycl::bit_cast<half>(                                                                           \
          static_cast<_Float16>(sycl::bit_cast<_Float16>(a) symbol sycl::bit_cast<_Float16>(b)));            \
    else                                                                                                     \
      return a symbol b;                                                                                     \
  }
FALX_CONTRACTED(sum, +)
FALX_CONTRACTED(difference, -)
FALX_CONTRACTED(product, *)
#undef FALX_CONTRACTED

/// Holds operators alone: argument-dependent lookup finds what is here beside functions of the program.
namespace elementwise {

/// Base of every class with elementwise operators, by which argument-dependent lookup finds them.
struct operators {};

#define FALX_BINARY_OPERATOR(symbol, needs, result)                                                          \
  template <class L, class R, class S = operator_shape<L, R, operator_needs::needs>>                         \
  constexpr typename S::value operator symbol(const L& lhs, const R& rhs) {                                  \
    using E = typename S::element;                                                                           \
    return map<S, E>([](const E& a, const E& b) { return result; }, operand<S>(lhs), operand<S>(rhs));       \
  }                                                                                                          \
  template <class L, class R, class T = std::decay_t<L>,                                                     \
            class S = operator_shape<T, R, operator_needs::needs>,                                           \
            std::enable_if_t<std::is_same_v<typename S::value, typename shape<T>::value>, int> = 0>          \
  constexpr assigned<L> operator symbol## = (L && lhs, const R& rhs) {                                       \
    using E = typename S::element;                                                                           \
    lhs = map<S, E>([](const E& a, const E& b) { return result; }, operand<S>(lhs), operand<S>(rhs));        \
    return lhs;                                                                                              \
  }                                                                                                          \
  template <class L, class T = std::decay_t<L>, class S = operator_shape<T, T, operator_needs::needs>>       \
  constexpr assigned<L> operator symbol## = (L && lhs, const braces<typename S::value>& rhs) {               \
    return lhs symbol## = rhs.value;                                                                         \
  }
FALX_BINARY_OPERATOR(+, arithmetic, sum(a, b))
FALX_BINARY_OPERATOR(-, arithmetic, difference(a, b))
FALX_BINARY_OPERATOR(*, arithmetic, product(a, b))
FALX_BINARY_OPERATOR(/, arithmetic, a / b)
FALX_BINARY_OPERATOR(%, integral, a % b)
FALX_BINARY_OPERATOR(&, bits, (a)&b)
FALX_BINARY_OPERATOR(|, bits, a | b)
FALX_BINARY_OPERATOR(^, bits, a ^ b)
FALX_BINARY_OPERATOR(<<, integral, shifted_left(a, b))
FALX_BINARY_OPERATOR(>>, integral, a >> b)
#undef FALX_BINARY_OPERATOR

// Comparison and logical operators give -1 or 0 in integers of the element's size for a vec, bool for an
// marray.
#define FALX_TRUTH_OPERATOR(symbol, needs)                                                                   \
  template <class L, class R, class S = operator_shape<L, R, operator_needs::needs>>                         \
  constexpr typename S::template with<typename S::truth> operator symbol(const L& lhs, const R& rhs) {       \
    using E = typename S::element;                                                                           \
    using truth = typename S::truth;                                                                         \
    return map<S, truth>([](const E& a, const E& b) { return a symbol b ? S::yes : truth(0); },              \
                         operand<S>(lhs), operand<S>(rhs));                                                  \
  }
FALX_TRUTH_OPERATOR(==, nothing)
FALX_TRUTH_OPERATOR(!=, nothing)
FALX_TRUTH_OPERATOR(<, order)
FALX_TRUTH_OPERATOR(>, order)
FALX_TRUTH_OPERATOR(<=, order)
FALX_TRUTH_OPERATOR(>=, order)
FALX_TRUTH_OPERATOR(&&, real)
FALX_TRUTH_OPERATOR(||, real)
#undef FALX_TRUTH_OPERATOR

template <class T, class S = unary_shape<T, operator_needs::real>>
constexpr typename S::template with<typename S::truth> operator!(const T& value) {
  using E = typename S::element;
  using truth = typename S::truth;
  return map<S, truth>([](const E& a) { return !a ? S::yes : truth(0); }, operand<S>(value));
}
template <class T, class S = unary_shape<T, operator_needs::bits>>
constexpr typename S::value operator~(const T& value) {
  using E = typename S::element;
  if constexpr (std::is_same_v<E, bool>) // a complement of the promoted value is never 0
    return map<S, E>([](const E&) { return true; }, operand<S>(value));
  else
    return map<S, E>([](const E& a) { return ~a; }, operand<S>(value));
}
template <class T, class S = unary_shape<T, operator_needs::arithmetic>>
constexpr typename S::value operator+(const T& value) {
  using E = typename S::element;
  return map<S, E>([](const E& a) { return +a; }, operand<S>(value));
}
template <class T, class S = unary_shape<T, operator_needs::arithmetic>>
constexpr typename S::value operator-(const T& value) {
  using E = typename S::element;
  return map<S, E>([](const E& a) { return -a; }, operand<S>(value));
}

#define FALX_STEP_OPERATOR(symbol)                                                                           \
  template <class L, class T = std::decay_t<L>, class S = unary_shape<T, operator_needs::real>,              \
            std::enable_if_t<!std::is_same_v<typename S::element, bool>, int> = 0>                           \
  constexpr assigned<L> operator symbol(L&& value) {                                                         \
    using E = typename S::element;                                                                           \
    value = map<S, E>([](E a) { return symbol a; }, operand<S>(value));                                      \
    return value;                                                                                            \
  }                                                                                                          \
  template <class L, class T = std::decay_t<L>, class S = unary_shape<T, operator_needs::real>,              \
            std::enable_if_t<!std::is_same_v<typename S::element, bool>, int> = 0, class = assigned<L>>      \
  constexpr typename S::value operator symbol(L&& value, int) {                                              \
    typename S::value before = operand<S>(value);                                                            \
    symbol value;                                                                                            \
    return before;                                                                                           \
  }
FALX_STEP_OPERATOR(++)
FALX_STEP_OPERATOR(--)
#undef FALX_STEP_OPERATOR

} // namespace elementwise

#pragma float_control(pop)

} // namespace sycl::detail
