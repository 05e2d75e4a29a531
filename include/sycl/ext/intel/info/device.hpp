// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"
#include "sycl/feature_test.hpp"

#include <array>
#include <cstdint>
#include <string>

/// \file
/// SYCL extension sycl_ext_intel_device_info: descriptors for device::get_info. Each has an aspect of its
/// name, and throws errc::feature_not_supported on devices without it. Those of gpu_* are for Intel's GPUs.

namespace sycl::ext::intel::info::device {

/// How many values property::queue::compute_index takes (sycl_ext_intel_queue_index): one, as Falx's devices
/// share out their compute units by themselves.
struct max_compute_queue_indices {
  using return_type = int;
};

struct device_id {
  using return_type = std::uint32_t;
};
struct uuid {
  using return_type = std::array<unsigned char, 16>;
};
/// domain:bus:device.function, in hexadecimal digits.
struct pci_address {
  using return_type = std::string;
};
struct gpu_eu_simd_width {
  using return_type = std::uint32_t;
};
struct gpu_eu_count {
  using return_type = std::uint32_t;
};
struct gpu_slices {
  using return_type = std::uint32_t;
};
struct gpu_subslices_per_slice {
  using return_type = std::uint32_t;
};
struct gpu_eu_count_per_subslice {
  using return_type = std::uint32_t;
};
struct gpu_hw_threads_per_eu {
  using return_type = std::uint32_t;
};
/// In bytes per second.
struct max_mem_bandwidth {
  using return_type = std::uint64_t;
};
/// In bytes.
struct free_memory {
  using return_type = std::uint64_t;
};
/// In MHz.
struct memory_clock_rate {
  using return_type = std::uint32_t;
};
/// In bits.
struct memory_bus_width {
  using return_type = std::uint32_t;
};

} // namespace sycl::ext::intel::info::device
