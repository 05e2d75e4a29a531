// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/device.hpp"
#include "sycl/feature_test.hpp"

#include <utility>

/// \file
/// What AdaptiveCpp's ACPP_EXT_BUFFER_USM_INTEROP says of a buffer's memory.

namespace sycl::buffer_allocation {

/// The memory of a buffer on one device. Devices that work in the host's memory share one.
template <class T>
struct descriptor {
  /// USM.
  T* ptr;
  device dev;
  /// The buffer frees the memory at its end.
  bool is_owned;
};

/// Memory that a buffer is to be made on.
template <class T>
struct tracked_descriptor {
  descriptor<T> desc;
  /// It has the contents.
  bool is_recent;
};

enum class management_mode { owning, non_owning };
inline constexpr management_mode take_ownership = management_mode::owning;
inline constexpr management_mode no_ownership = management_mode::non_owning;

/// Memory whose contents do not matter: what a command reads there is brought first.
template <class T>
tracked_descriptor<T> empty_view(T* ptr, device dev, management_mode m = no_ownership) {
  return {{ptr, std::move(dev), m == take_ownership}, false};
}
/// Memory that has the contents.
template <class T>
tracked_descriptor<T> view(T* ptr, device dev, management_mode m = no_ownership) {
  return {{ptr, std::move(dev), m == take_ownership}, true};
}

} // namespace sycl::buffer_allocation
