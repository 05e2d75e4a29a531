// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/elementwise.hpp"
#include "sycl/marray.hpp"
#include "sycl/vec.hpp"

#include <type_traits>

/// \file
/// Which arguments a math function takes, and how its scalar form is applied to their elements (SYCL 2020
/// §4.17.4 to §4.17.10).

namespace sycl::detail {

/// Whether all arguments have one shape: equal scalars, equal marrays, or vecs and swizzles in any
/// combination.
template <class First, class... Rest>
constexpr bool of_one_shape =
    (std::is_same_v<typename shape<First>::value, typename shape<Rest>::value> && ...);

template <class T>
constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class First>
using shape_of = shape<typename shape<First>::value>;

/// float, double and half: functions of bfloat16 are an extension's own.
template <class T>
constexpr bool has_math = std::is_floating_point_v<T> || std::is_same_v<T, half>;

/// Generic arguments of floating-point elements: the specification's generic floating-point types.
template <class First, class... Rest>
using generic_float =
    std::enable_if_t<of_one_shape<First, Rest...> && has_math<typename shape<First>::element>,
                     shape_of<First>>;
/// The same without scalars, which have overloads that allow conversions.
template <class First, class... Rest>
using float_array = std::enable_if_t<has_elements<First>, generic_float<First, Rest...>>;
/// The specification's generic integer types.
template <class First, class... Rest>
using generic_integer =
    std::enable_if_t<of_one_shape<First, Rest...> && is_integer<typename shape<First>::element>,
                     shape_of<First>>;
template <class First, class... Rest>
using generic_number =
    std::enable_if_t<of_one_shape<First, Rest...> && (is_integer<typename shape<First>::element> ||
                                                      has_math<typename shape<First>::element>),
                     shape_of<First>>;
/// Without scalars, where the other arguments are elements.
template <class First, class... Rest>
using number_array = std::enable_if_t<has_elements<First>, generic_number<First, Rest...>>;

/// An array of floating-point elements and an array of as many ints, as of ldexp.
template <class X, class K>
using float_and_int_array =
    std::enable_if_t<has_elements<X> && has_math<typename shape<X>::element> &&
                         std::is_same_v<typename shape<X>::template with<int>, typename shape<K>::value>,
                     shape_of<X>>;

/// Whether *pointer can be assigned a T: a raw pointer or a multi_ptr to a writeable address space.
template <class Pointer, class T, class = void>
constexpr bool writes_to = std::is_same_v<Pointer, T*>;
template <class Pointer, class T>
constexpr bool writes_to<Pointer, T, std::void_t<decltype(Pointer::address_space)>> =
    std::is_same_v<typename Pointer::value_type, T> &&
    Pointer::address_space != access::address_space::constant_space;
template <class Pointer, class T>
using if_writes_to = std::enable_if_t<writes_to<Pointer, T>, int>;

/// The type in which a function of T is computed: half goes through float.
template <class T>
using wide = std::conditional_t<std::is_same_v<T, half>, float, T>;

/// Applies a scalar operation to scalars or to each element; U is the type of the result or of its elements.
template <class S, class U, class Operation, class... X>
inline auto lift(const Operation& operation, const X&... x) {
  if constexpr (S::family == element_family::scalar)
    return static_cast<U>(operation(x...));
  else
    return map<S, U>(operation, operand<S>(x)...);
}

} // namespace sycl::detail
