// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"
#include "sycl/feature_test.hpp"

/// \file
/// SYCL extension sycl_ext_oneapi_peer_access.

namespace sycl::ext::oneapi {

/// What device::ext_oneapi_can_access_peer is asked for.
enum class peer_access {
  access_supported,
  /// At the same time as the peer, and with atomic operations of memory_scope::system.
  atomics_supported
};

} // namespace sycl::ext::oneapi
