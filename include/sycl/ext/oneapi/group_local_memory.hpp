// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/access.hpp"
#include "sycl/group_barrier.hpp"
#include "sycl/multi_ptr.hpp"

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

/// \file
/// SYCL extension sycl_ext_oneapi_local_memory.

namespace sycl {

namespace detail {

template <class Group>
inline constexpr bool is_work_group_v = false;
template <int Dimensions>
inline constexpr bool is_work_group_v<group<Dimensions>> = true;

/// Local memory for a T, the same for all work-items that come to one place of the program, with barriers
/// before and behind what \p construct does there in the first work-item alone.
template <class T, class Group, class Construct>
inline multi_ptr<T, access::address_space::local_space, access::decorated::legacy>
group_object(const Group& g, Construct construct) {
  static_assert(is_work_group_v<Group>, "local memory belongs to a work-group: pass a sycl::group");
  static_assert(std::is_trivially_destructible_v<T>, "nobody would destroy an object in local memory");
  static_assert(alignof(T) <= 64, "local memory is aligned to at most 64 bytes");
  T* const object = static_cast<T*>(__falx_group_local_memory(sizeof(T), alignof(T)));
  if constexpr (!std::is_same_v<Construct, std::nullptr_t>) {
    group_barrier(g); // what was there before is still read, if this is a loop
    if (g.leader())
      construct(object);
    group_barrier(g);
  }
  return multi_ptr<T, access::address_space::local_space, access::decorated::legacy>(object);
}

} // namespace detail

namespace ext::oneapi {

/// A T in local memory, constructed from \p args once for the group. All work-items of the group call it
/// together, with the same arguments. Each place of the program that calls it has an object of its own.
template <class T, class Group, class... Args>
inline multi_ptr<T, access::address_space::local_space, access::decorated::legacy>
group_local_memory(Group g, Args&&... args) {
  return sycl::detail::group_object<T>(g, [&](T* object) {
    if constexpr (std::is_array_v<T>)
      ::new (static_cast<void*>(object)) T{static_cast<Args&&>(args)...};
    else
      ::new (static_cast<void*>(object)) T(static_cast<Args&&>(args)...);
  });
}

/// The same without a value, unless T has a default constructor that gives it one.
template <class T, class Group>
inline multi_ptr<T, access::address_space::local_space, access::decorated::legacy>
group_local_memory_for_overwrite(Group g) {
  if constexpr (std::is_trivially_default_constructible_v<T>)
    return sycl::detail::group_object<T>(g, nullptr);
  else
    return sycl::detail::group_object<T>(g, [](T* object) { ::new (static_cast<void*>(object)) T; });
}

} // namespace ext::oneapi
} // namespace sycl
