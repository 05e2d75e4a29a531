// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "cuda_driver.hpp"

#include <string>
#include <string_view>

namespace falx {

/// The driver's value of an attribute; 0 if it has none.
int cuda_attribute(cuda::device_ordinal device, cuda::device_attribute attribute) noexcept;

/// What the driver says about a device, without making a context.
device_description describe_cuda_device(cuda::device_ordinal device);

/// Limits that launches must keep.
struct cuda_limits {
  int major = 0, minor = 0; // compute capability
  std::uint32_t max_threads_per_block = 0;
  std::uint32_t max_grid[3] = {0, 0, 0};
  std::uint64_t shared_per_block = 0;       // without asking
  std::uint64_t shared_per_block_optin = 0; // at most
  std::uint64_t threads_per_processor = 0;
  std::uint64_t registers_per_processor = 0;
  std::size_t max_pitch = 0;
  /// Of textures in linear memory: the address of the first pixel, the distance of rows in bytes, and sizes
  /// in pixels.
  std::size_t texture_alignment = 0, texture_pitch_alignment = 0;
  std::size_t max_texture_width = 0, max_texture_height = 0, max_texture_pitch = 0;
  bool concurrent_managed_access = false;
  bool managed_memory = false;
  bool pageable_memory_access = false;
  bool memory_pools = false;
};
cuda_limits limits_of_cuda_device(cuda::device_ordinal device) noexcept;

/// Groups that a multiprocessor holds, as far as threads and the registers of each thread allow it.
std::uint64_t groups_at_once(const cuda_limits& limits, std::uint64_t threads,
                             std::uint64_t registers) noexcept;

/// Newest processor that LLVM generates code for and the device runs ("sm_90"), and newest PTX that the
/// driver reads ("+ptx83").
std::string ptx_processor(int major, int minor);
std::string ptx_feature(int driver_version);

/// Whether kernels can be compiled for a processor of that name ("sm_90").
bool is_ptx_processor(std::string_view name);
/// All of them: "sm_70, … or sm_121".
std::string ptx_processor_names();
/// Of PTX for \p code on a device whose kernels are compiled for \p processor: later processors run PTX for
/// earlier ones. 0 if this one does not.
unsigned suitability_of_ptx(std::string_view code, std::string_view processor) noexcept;

} // namespace falx
