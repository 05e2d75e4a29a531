// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "sycl/info/enums.hpp"
#include "sycl/memory_enums.hpp"

#include <string>
#include <vector>

/// \file
/// Answers to queries about what arithmetic and atomic operations of a device can do.

namespace falx {

/// Atomic operations and fences have all orders on every device.
std::vector<sycl::memory_order> atomic_memory_orders();
/// Scopes of atomic operations; those of fences include the single work-item.
std::vector<sycl::memory_scope> atomic_memory_scopes();
std::vector<sycl::memory_scope> fence_scopes();

/// Empty for types that the device does not support.
std::vector<sycl::info::fp_config> half_capabilities(const device_description& device);
std::vector<sycl::info::fp_config> float_capabilities();
std::vector<sycl::info::fp_config> double_capabilities(const device_description& device);

/// OpenCL's names for optional features, for the deprecated extension queries.
std::vector<std::string> extension_names(const device_description& device);

} // namespace falx
