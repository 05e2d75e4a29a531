// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/access.hpp"

#include <cstddef>
#include <type_traits>

/// \file
/// The loop behind async_work_group_copy (SYCL 2020 §4.7.8).

namespace sycl::detail {

/// Copies between global and local memory only, and only to elements of the same type.
template <class Destination, access::address_space DestinationSpace, class Source,
          access::address_space SourceSpace>
using enable_if_async_copy = std::enable_if_t<std::is_same_v<Destination, std::remove_const_t<Source>> &&
                                                  ((DestinationSpace == access::address_space::local_space &&
                                                    SourceSpace == access::address_space::global_space) ||
                                                   (DestinationSpace == access::address_space::global_space &&
                                                    SourceSpace == access::address_space::local_space)),
                                              int>;

/// Bytes that a device with asynchronous copies takes at once; 0 for types that it cannot copy so.
template <class T>
inline constexpr std::size_t async_copy_bytes =
    !std::is_trivially_copyable_v<T> || alignof(T) < 4 ? 0 : (alignof(T) < 16 ? alignof(T) : 16);

/// Copies the elements first, first + step, …: the share of one of \p step work-items. To local memory, the
/// copy may be under way when the function returns.
template <bool ToLocal, class Destination, class Source>
inline void copy_share(Destination* destination, std::size_t destination_stride, const Source* source,
                       std::size_t source_stride, std::size_t count, std::size_t first, std::size_t step) {
  if constexpr (constexpr std::size_t part = async_copy_bytes<Destination>; ToLocal && part != 0) {
    if (__falx_has_async_copies()) {
      for (std::size_t i = first; i < count; i += step)
        for (std::size_t offset = 0; offset < sizeof(Destination); offset += part)
          __falx_async_copy(reinterpret_cast<char*>(destination + i * destination_stride) + offset,
                            reinterpret_cast<const char*>(source + i * source_stride) + offset, part);
      return;
    }
  }
  for (std::size_t i = first; i < count; i += step)
    destination[i * destination_stride] = source[i * source_stride];
}

} // namespace sycl::detail
