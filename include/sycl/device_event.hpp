// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"

namespace sycl {

template <int Dimensions>
class group;
template <int Dimensions>
class nd_item;

/// What async_work_group_copy returns (SYCL 2020 §4.7.8). The work-items of a group share the copy, so
/// waiting is a work-group barrier behind each one's part.
class device_event {
public:
  void wait() noexcept {
    __falx_wait_for_async_copies();
    __falx_work_group_barrier();
  }

private:
  template <int>
  friend class group;
  template <int>
  friend class nd_item;
  device_event() = default;
};

} // namespace sycl
