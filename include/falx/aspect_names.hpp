// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/aspect.hpp"

/// \file
/// How aspects are spelled, for messages and tools.

namespace falx {

struct aspect_name {
  sycl::aspect value;
  const char* name;
};

/// All aspects, in the order of sycl::aspect.
inline constexpr aspect_name ASPECT_NAMES[] = {
    {sycl::aspect::cpu, "cpu"},
    {sycl::aspect::gpu, "gpu"},
    {sycl::aspect::accelerator, "accelerator"},
    {sycl::aspect::custom, "custom"},
    {sycl::aspect::emulated, "emulated"},
    {sycl::aspect::host_debuggable, "host_debuggable"},
    {sycl::aspect::fp16, "fp16"},
    {sycl::aspect::fp64, "fp64"},
    {sycl::aspect::atomic64, "atomic64"},
    {sycl::aspect::image, "image"},
    {sycl::aspect::online_compiler, "online_compiler"},
    {sycl::aspect::online_linker, "online_linker"},
    {sycl::aspect::queue_profiling, "queue_profiling"},
    {sycl::aspect::usm_device_allocations, "usm_device_allocations"},
    {sycl::aspect::usm_host_allocations, "usm_host_allocations"},
    {sycl::aspect::usm_atomic_host_allocations, "usm_atomic_host_allocations"},
    {sycl::aspect::usm_shared_allocations, "usm_shared_allocations"},
    {sycl::aspect::usm_atomic_shared_allocations, "usm_atomic_shared_allocations"},
    {sycl::aspect::usm_system_allocations, "usm_system_allocations"},
    {sycl::aspect::ext_intel_pci_address, "ext_intel_pci_address"},
    {sycl::aspect::ext_intel_device_info_uuid, "ext_intel_device_info_uuid"},
    {sycl::aspect::ext_intel_device_id, "ext_intel_device_id"},
    {sycl::aspect::ext_intel_free_memory, "ext_intel_free_memory"},
    {sycl::aspect::ext_intel_memory_clock_rate, "ext_intel_memory_clock_rate"},
    {sycl::aspect::ext_intel_memory_bus_width, "ext_intel_memory_bus_width"},
    {sycl::aspect::ext_intel_max_mem_bandwidth, "ext_intel_max_mem_bandwidth"},
    {sycl::aspect::ext_intel_gpu_eu_simd_width, "ext_intel_gpu_eu_simd_width"},
    {sycl::aspect::ext_intel_gpu_eu_count, "ext_intel_gpu_eu_count"},
    {sycl::aspect::ext_intel_gpu_slices, "ext_intel_gpu_slices"},
    {sycl::aspect::ext_intel_gpu_subslices_per_slice, "ext_intel_gpu_subslices_per_slice"},
    {sycl::aspect::ext_intel_gpu_eu_count_per_subslice, "ext_intel_gpu_eu_count_per_subslice"},
    {sycl::aspect::ext_intel_gpu_hw_threads_per_eu, "ext_intel_gpu_hw_threads_per_eu"},
    {sycl::aspect::ext_oneapi_cuda_async_barrier, "ext_oneapi_cuda_async_barrier"},
    {sycl::aspect::ext_oneapi_ballot_group, "ext_oneapi_ballot_group"},
    {sycl::aspect::ext_oneapi_fixed_size_group, "ext_oneapi_fixed_size_group"},
    {sycl::aspect::ext_oneapi_opportunistic_group, "ext_oneapi_opportunistic_group"},
    {sycl::aspect::ext_oneapi_tangle_group, "ext_oneapi_tangle_group"},
    {sycl::aspect::ext_oneapi_fragment, "ext_oneapi_fragment"},
    {sycl::aspect::ext_oneapi_chunk, "ext_oneapi_chunk"},
    {sycl::aspect::ext_oneapi_tangle, "ext_oneapi_tangle"},
    {sycl::aspect::ext_oneapi_clock_sub_group, "ext_oneapi_clock_sub_group"},
    {sycl::aspect::ext_oneapi_clock_work_group, "ext_oneapi_clock_work_group"},
    {sycl::aspect::ext_oneapi_clock_device, "ext_oneapi_clock_device"},
    {sycl::aspect::ext_oneapi_bfloat16_math_functions, "ext_oneapi_bfloat16_math_functions"},
    {sycl::aspect::ext_oneapi_is_composite, "ext_oneapi_is_composite"},
    {sycl::aspect::ext_oneapi_is_component, "ext_oneapi_is_component"},
    {sycl::aspect::ext_oneapi_queue_profiling_tag, "ext_oneapi_queue_profiling_tag"},
    {sycl::aspect::ext_oneapi_async_memory_alloc, "ext_oneapi_async_memory_alloc"},
    {sycl::aspect::ext_oneapi_native_assert, "ext_oneapi_native_assert"},
    {sycl::aspect::ext_oneapi_atomic16, "ext_oneapi_atomic16"},
};

inline constexpr unsigned ASPECT_COUNT = sizeof(ASPECT_NAMES) / sizeof(ASPECT_NAMES[0]);

constexpr bool aspect_names_are_in_order() noexcept {
  for (unsigned i = 0; i < ASPECT_COUNT; ++i)
    if (static_cast<unsigned>(ASPECT_NAMES[i].value) != i)
      return false;
  return true;
}
static_assert(aspect_names_are_in_order());

/// \p feature without its namespace.
constexpr const char* name_of(sycl::aspect feature) noexcept {
  return ASPECT_NAMES[static_cast<unsigned>(feature)].name;
}

} // namespace falx
