// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/byte.hpp"
#include "sycl/detail/group_traits.hpp"
#include "sycl/span.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sycl::ext::oneapi::experimental {

/// A group and memory that it may use for an algorithm (SYCL extension sycl_ext_oneapi_group_sort).
template <class Group, std::size_t Extent>
class group_with_scratchpad {
  static_assert(is_group_v<Group>, "group_with_scratchpad takes a group");

public:
  group_with_scratchpad(Group group, span<std::byte, Extent> scratch) noexcept
      : group_(group), scratch_(scratch) {}
  Group get_group() const noexcept { return group_; }
  span<std::byte, Extent> get_memory() const noexcept { return scratch_; }

private:
  Group group_;
  span<std::byte, Extent> scratch_;
};

template <class Group, std::size_t Extent>
group_with_scratchpad(Group, span<std::byte, Extent>) -> group_with_scratchpad<Group, Extent>;

namespace detail {

template <class T, class = void>
inline constexpr bool helps_group = false;
template <class T>
inline constexpr bool helps_group<T, std::void_t<decltype(std::declval<const T&>().get_group()),
                                                 decltype(std::declval<const T&>().get_memory())>> = true;

} // namespace detail

/// Whether T tells a group and memory, as group_with_scratchpad does.
template <class T>
struct is_group_helper : std::bool_constant<detail::helps_group<T>> {};
template <class T>
inline constexpr bool is_group_helper_v = is_group_helper<T>::value;

} // namespace sycl::ext::oneapi::experimental
