// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstddef>
#include <limits>
#include <type_traits>

// std::plus and its kin, which <functional> declares among much else.
#if __has_include(<bits/stl_function.h>)
#include <bits/stl_function.h>
#elif __has_include(<__functional/operations.h>)
#include <__functional/operations.h>
#else
#include <functional>
#endif

/// \file
/// Function objects of group algorithms and reductions, and their identities (SYCL 2020 §4.17.2). The
/// standard library's objects of the same names are known, too.

namespace sycl {

#define FALX_BINARY_FUNCTION_OBJECT(NAME, EXPRESSION)                                                        \
  template <class T = void>                                                                                  \
  struct NAME {                                                                                              \
    constexpr T operator()(const T& x, const T& y) const { return EXPRESSION; }                              \
  };                                                                                                         \
  template <>                                                                                                \
  struct NAME<void> {                                                                                        \
    using is_transparent = void;                                                                             \
    template <class T, class U>                                                                              \
    constexpr auto operator()(const T& x, const U& y) const -> decltype(EXPRESSION) {                        \
      return EXPRESSION;                                                                                     \
    }                                                                                                        \
  }

FALX_BINARY_FUNCTION_OBJECT(plus, x + y);
FALX_BINARY_FUNCTION_OBJECT(multiplies, x* y);
FALX_BINARY_FUNCTION_OBJECT(bit_and, x& y);
FALX_BINARY_FUNCTION_OBJECT(bit_or, x | y);
FALX_BINARY_FUNCTION_OBJECT(bit_xor, x ^ y);
FALX_BINARY_FUNCTION_OBJECT(logical_and, x&& y);
FALX_BINARY_FUNCTION_OBJECT(logical_or, x || y);
#undef FALX_BINARY_FUNCTION_OBJECT

template <class T, int N>
class vec;
template <class T, std::size_t N>
class marray;

namespace detail {

/// Element type and how to compare one element, for scalars and for the element-wise types.
template <class T>
struct accumulator_element {
  using type = T;
  static constexpr bool is_scalar = true;
};
template <class T, int N>
struct accumulator_element<vec<T, N>> {
  using type = T;
  static constexpr bool is_scalar = false;
};
template <class T, std::size_t N>
struct accumulator_element<marray<T, N>> {
  using type = T;
  static constexpr bool is_scalar = false;
};

/// The smaller (or larger) value, element by element in vec and marray.
template <bool Larger, class T>
constexpr T select_extreme(const T& x, const T& y) {
  if constexpr (accumulator_element<T>::is_scalar) {
    if constexpr (Larger)
      return x < y ? y : x;
    else
      return y < x ? y : x;
  } else {
    T result = x;
    for (int i = 0; i < static_cast<int>(T::size()); ++i)
      if (Larger ? bool(x[i] < y[i]) : bool(y[i] < x[i]))
        result[i] = y[i];
    return result;
  }
}

} // namespace detail

template <class T = void>
struct minimum {
  constexpr T operator()(const T& x, const T& y) const { return detail::select_extreme<false>(x, y); }
};
template <>
struct minimum<void> {
  using is_transparent = void;
  template <class T, class U>
  constexpr std::common_type_t<T, U> operator()(const T& x, const U& y) const {
    return detail::select_extreme<false, std::common_type_t<T, U>>(x, y);
  }
};
template <class T = void>
struct maximum {
  constexpr T operator()(const T& x, const T& y) const { return detail::select_extreme<true>(x, y); }
};
template <>
struct maximum<void> {
  using is_transparent = void;
  template <class T, class U>
  constexpr std::common_type_t<T, U> operator()(const T& x, const U& y) const {
    return detail::select_extreme<true, std::common_type_t<T, U>>(x, y);
  }
};

namespace detail {

/// The standard library's function object that computes the same; void if it has none.
template <template <class> class Template>
struct standard_operation {
  template <class T>
  using type = void;
};
#define FALX_STANDARD_OPERATION(NAME)                                                                        \
  template <>                                                                                                \
  struct standard_operation<NAME> {                                                                          \
    template <class T>                                                                                       \
    using type = std::NAME<T>;                                                                               \
  };
FALX_STANDARD_OPERATION(plus)
FALX_STANDARD_OPERATION(multiplies)
FALX_STANDARD_OPERATION(bit_and)
FALX_STANDARD_OPERATION(bit_or)
FALX_STANDARD_OPERATION(bit_xor)
FALX_STANDARD_OPERATION(logical_and)
FALX_STANDARD_OPERATION(logical_or)
#undef FALX_STANDARD_OPERATION

template <template <class> class Template, class Operation, class T>
inline constexpr bool is_operation_on =
    std::is_same_v<Operation, Template<T>> ||
    std::is_same_v<Operation, typename standard_operation<Template>::template type<T>>;

/// Whether \p Operation is \p Template or the standard library's, transparent or for exactly this
/// accumulator.
template <template <class> class Template, class Operation, class Accumulator>
inline constexpr bool is_operation =
    is_operation_on<Template, Operation, void> || is_operation_on<Template, Operation, Accumulator> ||
    is_operation_on<Template, Operation, const Accumulator>;

/// Whether sums and products of the type have 0 and 1 as identities. The headers of complex numbers add them.
template <class T>
inline constexpr bool has_zero_and_one = std::numeric_limits<T>::is_specialized;

enum class identity_kind { none, zero, one, all_bits, lowest, highest, truth, falsehood };

/// The rows of the table "Known identities" (SYCL 2020 §4.17.2).
template <class QualifiedOperation, class QualifiedAccumulator>
constexpr identity_kind identity_kind_of() {
  using operation = std::remove_cv_t<QualifiedOperation>;
  using accumulator = std::remove_cv_t<QualifiedAccumulator>;
  using element = typename accumulator_element<accumulator>::type;
  // sycl::half and sycl::ext::oneapi::bfloat16 are numbers by their numeric_limits.
  constexpr bool is_number = std::numeric_limits<element>::is_specialized;
  constexpr bool is_integer = std::is_integral_v<element>;
  constexpr bool is_truth = std::is_same_v<element, bool>;
  if constexpr (has_zero_and_one<element> && is_operation<plus, operation, accumulator>)
    return identity_kind::zero;
  else if constexpr (has_zero_and_one<element> && is_operation<multiplies, operation, accumulator>)
    return identity_kind::one;
  else if constexpr (is_integer && is_operation<bit_and, operation, accumulator>)
    return identity_kind::all_bits;
  else if constexpr (is_integer && (is_operation<bit_or, operation, accumulator> ||
                                    is_operation<bit_xor, operation, accumulator>))
    return identity_kind::zero;
  else if constexpr (is_truth && is_operation<logical_and, operation, accumulator>)
    return identity_kind::truth;
  else if constexpr (is_truth && is_operation<logical_or, operation, accumulator>)
    return identity_kind::falsehood;
  else if constexpr (is_number && is_operation<minimum, operation, accumulator>)
    return identity_kind::highest;
  else if constexpr (is_number && is_operation<maximum, operation, accumulator>)
    return identity_kind::lowest;
  else
    return identity_kind::none;
}

/// The identity of one element.
template <identity_kind Kind, class T>
constexpr T element_identity() {
  using limits = std::numeric_limits<T>;
  if constexpr (Kind == identity_kind::zero || Kind == identity_kind::falsehood)
    return static_cast<T>(0);
  else if constexpr (Kind == identity_kind::one || Kind == identity_kind::truth)
    return static_cast<T>(1);
  else if constexpr (Kind == identity_kind::all_bits && std::is_same_v<T, bool>)
    return true;
  else if constexpr (Kind == identity_kind::all_bits)
    return static_cast<T>(~static_cast<T>(0));
  else if constexpr (Kind == identity_kind::lowest)
    return limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest();
  else
    return limits::has_infinity ? limits::infinity() : limits::max();
}

} // namespace detail

template <class BinaryOperation, class AccumulatorT>
struct has_known_identity : std::bool_constant<detail::identity_kind_of<BinaryOperation, AccumulatorT>() !=
                                               detail::identity_kind::none> {};
template <class BinaryOperation, class AccumulatorT>
inline constexpr bool has_known_identity_v = has_known_identity<BinaryOperation, AccumulatorT>::value;

namespace detail {

/// The known identity as a value made where it is used: device code need not load a constant.
template <class Operation, class Accumulator>
constexpr std::remove_cv_t<Accumulator> identity_of() {
  using accumulator = std::remove_cv_t<Accumulator>;
  static_assert(has_known_identity_v<Operation, accumulator>,
                "this combination of operation and type has no known identity");
  return accumulator(element_identity<identity_kind_of<Operation, accumulator>(),
                                      typename accumulator_element<accumulator>::type>());
}

template <class Operation, class Accumulator, bool Known>
struct known_identity_value {};
template <class Operation, class Accumulator>
struct known_identity_value<Operation, Accumulator, true> {
  static constexpr std::remove_cv_t<Accumulator> value = identity_of<Operation, Accumulator>();
};

} // namespace detail

/// Has a member value only if the identity is known.
template <class BinaryOperation, class AccumulatorT>
struct known_identity : detail::known_identity_value<BinaryOperation, AccumulatorT,
                                                     has_known_identity_v<BinaryOperation, AccumulatorT>> {};
template <class BinaryOperation, class AccumulatorT>
inline constexpr AccumulatorT known_identity_v = known_identity<BinaryOperation, AccumulatorT>::value;

} // namespace sycl
