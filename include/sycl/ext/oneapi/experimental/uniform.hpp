// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <type_traits>
#include <utility>

namespace sycl {
template <int, bool>
class item;
template <int>
class nd_item;
template <int>
class h_item;
template <int>
class group;
class sub_group;
template <int>
class nd_range;
} // namespace sycl

namespace sycl::ext::oneapi::experimental {

namespace detail {

template <class T>
inline constexpr bool varies_within_sub_group = std::is_same_v<T, sycl::sub_group>;
template <int D, bool WithOffset>
inline constexpr bool varies_within_sub_group<sycl::item<D, WithOffset>> = true;
template <int D>
inline constexpr bool varies_within_sub_group<sycl::nd_item<D>> = true;
template <int D>
inline constexpr bool varies_within_sub_group<sycl::h_item<D>> = true;
template <int D>
inline constexpr bool varies_within_sub_group<sycl::group<D>> = true;
template <int D>
inline constexpr bool varies_within_sub_group<sycl::nd_range<D>> = true;

} // namespace detail

/// A value that the program asserts to be the same for all work-items of a sub-group (SYCL extension
/// sycl_ext_oneapi_uniform). Falx finds out by itself what is uniform, and makes no use of the promise.
template <class T>
class uniform {
  static_assert(!detail::varies_within_sub_group<std::remove_cv_t<T>>,
                "objects of this class differ between work-items, and are never uniform");

public:
  explicit uniform(T x) noexcept : value_(std::move(x)) {}
  uniform(const uniform&) = default;

  operator const T() const { return value_; } // NOLINT: the extension's type

  uniform& operator=(const uniform&) = delete;
  uniform& operator+=(const T&) = delete;
  uniform& operator-=(const T&) = delete;
  uniform& operator*=(const T&) = delete;
  uniform& operator/=(const T&) = delete;
  uniform& operator%=(const T&) = delete;
  uniform& operator&=(const T&) = delete;
  uniform& operator|=(const T&) = delete;
  uniform& operator^=(const T&) = delete;
  uniform& operator<<=(const T&) = delete;
  uniform& operator>>=(const T&) = delete;
  uniform& operator++() = delete;
  uniform& operator++(int) = delete;
  uniform& operator--() = delete;
  uniform& operator--(int) = delete;

private:
  T value_;
};

} // namespace sycl::ext::oneapi::experimental
