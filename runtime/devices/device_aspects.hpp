// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "sycl/aspect.hpp"

#include <cstdint>

namespace falx {

/// What a device's description says of an aspect (SYCL 2020 §4.6.4.5).
bool has_aspect(const device_description& device, sycl::aspect feature) noexcept;
/// The same of all: a bit for each number of sycl::aspect.
std::uint64_t aspects_of(const device_description& device) noexcept;

} // namespace falx
