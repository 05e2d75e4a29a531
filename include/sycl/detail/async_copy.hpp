// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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

/// Copies the elements first, first + step, …: the share of one of \p step work-items.
template <class Destination, class Source>
inline void copy_share(Destination* destination, std::size_t destination_stride, const Source* source,
                       std::size_t source_stride, std::size_t count, std::size_t first, std::size_t step) {
  for (std::size_t i = first; i < count; i += step)
    destination[i * destination_stride] = source[i * source_stride];
}

} // namespace sycl::detail
