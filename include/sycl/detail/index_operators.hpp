// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstddef>
#include <type_traits>

/// \file
/// Element-wise operators that sycl::range and sycl::id have in common (SYCL 2020 §4.9.1.1, §4.9.1.3).

namespace sycl::detail {

/// Scalars that index operators take beside an index. Only integral types: with others, id<1> and its
/// conversion to size_t would compete.
template <class T>
using enable_if_integral = std::enable_if_t<std::is_integral_v<T>, int>;

/// Defined as friends inside the class, so that argument-dependent lookup alone finds them.
#define FALX_INDEX_BINARY_OPERATOR(TYPE, OP)                                                                 \
  friend constexpr TYPE operator OP(const TYPE& lhs, const TYPE& rhs) noexcept {                             \
    TYPE result;                                                                                             \
    for (int d = 0; d < dimensions; ++d)                                                                     \
      result[d] = static_cast<std::size_t>(lhs[d] OP rhs[d]);                                                \
    return result;                                                                                           \
  }                                                                                                          \
  template <class T, ::sycl::detail::enable_if_integral<T> = 0>                                              \
  friend constexpr TYPE operator OP(const TYPE& lhs, const T& rhs) noexcept {                                \
    TYPE result;                                                                                             \
    for (int d = 0; d < dimensions; ++d)                                                                     \
      result[d] = static_cast<std::size_t>(lhs[d] OP static_cast<std::size_t>(rhs));                         \
    return result;                                                                                           \
  }                                                                                                          \
  template <class T, ::sycl::detail::enable_if_integral<T> = 0>                                              \
  friend constexpr TYPE operator OP(const T& lhs, const TYPE& rhs) noexcept {                                \
    TYPE result;                                                                                             \
    for (int d = 0; d < dimensions; ++d)                                                                     \
      result[d] = static_cast<std::size_t>(static_cast<std::size_t>(lhs) OP rhs[d]);                         \
    return result;                                                                                           \
  }

#define FALX_INDEX_ASSIGNMENT_OPERATOR(TYPE, OP)                                                             \
  friend constexpr TYPE& operator OP(TYPE& lhs, const TYPE& rhs) noexcept {                                  \
    for (int d = 0; d < dimensions; ++d)                                                                     \
      lhs[d] OP rhs[d];                                                                                      \
    return lhs;                                                                                              \
  }                                                                                                          \
  template <class T, ::sycl::detail::enable_if_integral<T> = 0>                                              \
  friend constexpr TYPE& operator OP(TYPE& lhs, const T& rhs) noexcept {                                     \
    for (int d = 0; d < dimensions; ++d)                                                                     \
      lhs[d] OP static_cast<std::size_t>(rhs);                                                               \
    return lhs;                                                                                              \
  }

#define FALX_INDEX_OPERATORS(TYPE)                                                                           \
  FALX_INDEX_BINARY_OPERATOR(TYPE, +)                                                                        \
  FALX_INDEX_BINARY_OPERATOR(TYPE, -)                                                                        \
  FALX_INDEX_BINARY_OPERATOR(TYPE, *)                                                                        \
  FALX_INDEX_BINARY_OPERATOR(TYPE, /)                                                                        \
  FALX_INDEX_BINARY_OPERATOR(TYPE, %)                                                                        \
  FALX_INDEX_BINARY_OPERATOR(TYPE, <<)                                                                       \
  FALX_INDEX_BINARY_OPERATOR(TYPE, >>)                                                                       \
  FALX_INDEX_BINARY_OPERATOR(TYPE, &)                                                                        \
  FALX_INDEX_BINARY_OPERATOR(TYPE, |)                                                                        \
  FALX_INDEX_BINARY_OPERATOR(TYPE, ^)                                                                        \
  FALX_INDEX_BINARY_OPERATOR(TYPE, &&)                                                                       \
  FALX_INDEX_BINARY_OPERATOR(TYPE, ||)                                                                       \
  FALX_INDEX_BINARY_OPERATOR(TYPE, <)                                                                        \
  FALX_INDEX_BINARY_OPERATOR(TYPE, >)                                                                        \
  FALX_INDEX_BINARY_OPERATOR(TYPE, <=)                                                                       \
  FALX_INDEX_BINARY_OPERATOR(TYPE, >=)                                                                       \
  FALX_INDEX_ASSIGNMENT_OPERATOR(TYPE, +=)                                                                   \
  FALX_INDEX_ASSIGNMENT_OPERATOR(TYPE, -=)                                                                   \
  FALX_INDEX_ASSIGNMENT_OPERATOR(TYPE, *=)                                                                   \
  FALX_INDEX_ASSIGNMENT_OPERATOR(TYPE, /=)                                                                   \
  FALX_INDEX_ASSIGNMENT_OPERATOR(TYPE, %=)                                                                   \
  FALX_INDEX_ASSIGNMENT_OPERATOR(TYPE, <<=)                                                                  \
  FALX_INDEX_ASSIGNMENT_OPERATOR(TYPE, >>=)                                                                  \
  FALX_INDEX_ASSIGNMENT_OPERATOR(TYPE, &=)                                                                   \
  FALX_INDEX_ASSIGNMENT_OPERATOR(TYPE, |=)                                                                   \
  FALX_INDEX_ASSIGNMENT_OPERATOR(TYPE, ^=)                                                                   \
  friend constexpr TYPE operator+(const TYPE& value) noexcept {                                              \
    return value;                                                                                            \
  }                                                                                                          \
  friend constexpr TYPE operator-(const TYPE& value) noexcept {                                              \
    TYPE result;                                                                                             \
    for (int d = 0; d < dimensions; ++d)                                                                     \
      result[d] = 0 - value[d];                                                                              \
    return result;                                                                                           \
  }                                                                                                          \
  friend constexpr TYPE& operator++(TYPE& value) noexcept {                                                  \
    for (int d = 0; d < dimensions; ++d)                                                                     \
      ++value[d];                                                                                            \
    return value;                                                                                            \
  }                                                                                                          \
  friend constexpr TYPE& operator--(TYPE& value) noexcept {                                                  \
    for (int d = 0; d < dimensions; ++d)                                                                     \
      --value[d];                                                                                            \
    return value;                                                                                            \
  }                                                                                                          \
  friend constexpr TYPE operator++(TYPE& value, int) noexcept {                                              \
    TYPE before = value;                                                                                     \
    ++value;                                                                                                 \
    return before;                                                                                           \
  }                                                                                                          \
  friend constexpr TYPE operator--(TYPE& value, int) noexcept {                                              \
    TYPE before = value;                                                                                     \
    --value;                                                                                                 \
    return before;                                                                                           \
  }                                                                                                          \
  friend constexpr bool operator==(const TYPE& lhs, const TYPE& rhs) noexcept {                              \
    for (int d = 0; d < dimensions; ++d)                                                                     \
      if (lhs[d] != rhs[d])                                                                                  \
        return false;                                                                                        \
    return true;                                                                                             \
  }                                                                                                          \
  friend constexpr bool operator!=(const TYPE& lhs, const TYPE& rhs) noexcept {                              \
    return !(lhs == rhs);                                                                                    \
  }

} // namespace sycl::detail
