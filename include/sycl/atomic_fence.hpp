// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/memory_enums.hpp"

#include <cstdint>

namespace sycl {

/// Orders memory accesses of the work-item (SYCL 2020 §4.15.1).
inline void atomic_fence(memory_order order, memory_scope scope) noexcept {
  __falx_fence(detail::native_order(order), static_cast<std::uint32_t>(scope));
}

} // namespace sycl
