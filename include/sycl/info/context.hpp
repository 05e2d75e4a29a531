// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/memory_enums.hpp"

#include <vector>

/// \file
/// Descriptors for context::get_info (SYCL 2020 §4.6.3.3).

namespace sycl {
class platform;
class device;
} // namespace sycl

namespace sycl::info::context {

struct platform {
  using return_type = sycl::platform;
};
struct devices {
  using return_type = std::vector<sycl::device>;
};
/// Each lists what all devices of the context support.
struct atomic_memory_order_capabilities {
  using return_type = std::vector<memory_order>;
};
struct atomic_fence_order_capabilities {
  using return_type = std::vector<memory_order>;
};
struct atomic_memory_scope_capabilities {
  using return_type = std::vector<memory_scope>;
};
struct atomic_fence_scope_capabilities {
  using return_type = std::vector<memory_scope>;
};

} // namespace sycl::info::context
