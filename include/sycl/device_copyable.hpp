// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#if __cplusplus >= 202002L
#include <span>
#endif
// std::optional and std::variant are only named below; their headers would be 5 % of sycl.hpp.
#ifdef __GLIBCXX__
// clang-format off
namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
template <typename> class optional;
template <typename...> class variant;
_GLIBCXX_END_NAMESPACE_VERSION
}
// clang-format on
#else
#include <optional>
#include <variant>
#endif

namespace sycl {

/// Whether the bytes of a T make a T on the device (SYCL 2020 §3.13.1). Users may specialize it for their own
/// types.
template <class T>
struct is_device_copyable : std::is_trivially_copyable<T> {};

template <class T>
inline constexpr bool is_device_copyable_v = is_device_copyable<T>::value;

template <class T>
struct is_device_copyable<const T> : is_device_copyable<T> {};
template <class T>
struct is_device_copyable<volatile T> : is_device_copyable<T> {};
template <class T>
struct is_device_copyable<const volatile T> : is_device_copyable<T> {};
template <class T, std::size_t N>
struct is_device_copyable<T[N]> : is_device_copyable<T> {};
template <class T, std::size_t N>
struct is_device_copyable<const T[N]> : is_device_copyable<T> {};
template <class T, std::size_t N>
struct is_device_copyable<volatile T[N]> : is_device_copyable<T> {};
template <class T, std::size_t N>
struct is_device_copyable<const volatile T[N]> : is_device_copyable<T> {};

template <class T, std::size_t N>
struct is_device_copyable<std::array<T, N>> : is_device_copyable<T> {};
template <class T>
struct is_device_copyable<std::array<T, 0>> : std::true_type {};
template <class T>
struct is_device_copyable<std::optional<T>> : is_device_copyable<T> {};
template <class T, class U>
struct is_device_copyable<std::pair<T, U>>
    : std::bool_constant<is_device_copyable_v<T> && is_device_copyable_v<U>> {};
template <class... Ts>
struct is_device_copyable<std::tuple<Ts...>> : std::bool_constant<(is_device_copyable_v<Ts> && ...)> {};
template <class... Ts>
struct is_device_copyable<std::variant<Ts...>> : std::bool_constant<(is_device_copyable_v<Ts> && ...)> {};
template <class Char, class Traits>
struct is_device_copyable<std::basic_string_view<Char, Traits>> : std::true_type {};
#if __cplusplus >= 202002L
template <class T, std::size_t Extent>
struct is_device_copyable<std::span<T, Extent>> : std::true_type {};
#endif

} // namespace sycl
