// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device_state.hpp"
#include "falx/handle.hpp"
#include "sycl/info/enums.hpp"

#include <cstddef>
#include <vector>

/// \file
/// Division of a device into sub-devices (SYCL 2020 §4.6.4.2). The same division of the same device gives the
/// same sub-devices. Functions that divide throw sycl::exception with errc::feature_not_supported where the
/// device cannot be divided so, with errc::invalid where it has not enough compute units, and with
/// errc::runtime if the system lets the process have no threads for a part.

namespace falx {

std::vector<handle<device_state>> partition_equally(device_state& device, std::size_t count);
std::vector<handle<device_state>> partition_by_counts(device_state& device,
                                                      const std::vector<std::size_t>& counts);
std::vector<handle<device_state>> partition_by_affinity_domain(device_state& device,
                                                               sycl::info::partition_affinity_domain domain);

/// How the device can be divided into two parts at least.
std::vector<sycl::info::partition_property> partition_properties(const device_state& device);
/// The domains of which the device has two parts at least; with next_partitionable if there are any.
std::vector<sycl::info::partition_affinity_domain> affinity_domains(const device_state& device);

} // namespace falx
